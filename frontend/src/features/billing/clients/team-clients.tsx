import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { api, readData } from "../../../lib/client";
import { formatCount } from "../../../lib/format";
import { Button } from "../../../ui/button";
import { Section } from "../../../ui/section";
import { Loaded } from "../../../ui/states";
import { useCurrentUser } from "../../accounts/profile/use-current-user";
import { AgencyCard } from "./agency-card";
import { CLIENTS, loadClients, RECEIVED } from "./calls";
import { NameDialog } from "./client-dialogs";
import { ClientList } from "./client-list";

function ClientsSection({ mayMake }: { mayMake: boolean }): ReactNode {
  const [making, setMaking] = useState(false);
  const clients = useQuery({ queryKey: CLIENTS, queryFn: loadClients });
  const make =
    mayMake && clients.data?.may_make ? <Button onClick={() => setMaking(true)}>New client</Button> : null;
  const some = (clients.data?.clients.length ?? 0) > 0;
  return (
    <Section id="clients-heading" title="Clients" card anchor="clients" aside={some ? make : null}>
      <Loaded query={clients} fallback="Failed to load the clients" rows={3}>
        {(found) => (
          <>
            {some ? <p className="muted">You can give {formatCount(found.movable, "credit")}.</p> : null}
            <ClientList found={found} make={make} />
          </>
        )}
      </Loaded>
      {making ? <NameDialog onClose={() => setMaking(false)} /> : null}
    </Section>
  );
}

/** The clients of an organisation that is an agency; for a client, its agency. Nothing for members who only work. */
export function TeamClients(): ReactNode {
  const me = useCurrentUser();
  const received = useQuery({
    queryKey: RECEIVED,
    queryFn: () => readData(api.GET("/api/organisation/transfers")),
  });
  const rights = me.data?.organisation.rights ?? [];
  return (
    <Loaded query={received} fallback="Failed to load the agency" rows={2}>
      {({ agency, transfers }) => (
        <>
          {agency || transfers.length > 0 ? (
            <AgencyCard agency={agency} transfers={transfers} mayEnd={rights.includes("own")} />
          ) : null}
          {!agency && rights.includes("manage") ? <ClientsSection mayMake={rights.includes("own")} /> : null}
        </>
      )}
    </Loaded>
  );
}
