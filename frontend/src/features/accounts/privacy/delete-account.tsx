import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import type { Departure, User } from "../../../api/types";
import { api, deleteWithBody, readData } from "../../../lib/client";
import { useCurrentUser } from "../profile/use-current-user";
import { clearSession, navigation } from "../../../lib/session";
import { useForm } from "../../../lib/use-form";
import { formatPlan } from "../../../lib/labels";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { DialogButton } from "../../../ui/dialog-button";
import { PasswordField, EntryField } from "../../../ui/form";
import { DialogForm } from "../../../ui/form-foot";
import { Section } from "../../../ui/section";
import { ErrorState, SkeletonRows } from "../../../ui/states";
import { UnspentCredits } from "../../billing/ledger/unspent-credits";

/** An organisation that goes with the account; named where there are several. What one holds that is closed to the
 * person now is not said. */
function Loss({ of, isOnly }: { of: Departure["deleted"][number]; isOnly: boolean }): ReactNode {
  if (of.subscription_plan === null || of.credits === null || of.lots === null) {
    return (
      <li className="break">{of.name}, its plan, which ends now, and what it holds. Its credits lapse.</li>
    );
  }
  return (
    <li className="break">
      {isOnly ? "Your plan" : `${of.name}: the plan`} <strong>{formatPlan(of.subscription_plan)}</strong>,
      which ends now, and <UnspentCredits credits={of.credits} lots={of.lots} />. They lapse.
    </li>
  );
}

function DeletionEffects({ deleted, left }: Departure): ReactNode {
  return (
    <div className="stack-2">
      <h3>What is deleted</h3>
      <ul className="bullets">
        <li>Your account, and the API keys, webhooks, uploads, results and activity that are yours alone.</li>
        {deleted.map((organisation) => (
          <Loss key={organisation.id} of={organisation} isOnly={deleted.length === 1} />
        ))}
      </ul>
      <h3>What stays, and why</h3>
      <ul className="bullets">
        {left.length > 0 ? (
          <li className="break">
            {left.map(({ name }) => name).join(", ")}, without you. What you made there stays.
          </li>
        ) : null}
        <li>
          Issued invoices and credit notes, without your account but with the name and address printed on
          them, <a href="/privacy#kept">as long as the law requires</a>.
        </li>
        <li>
          A keyed hash of your mailbox, so that free credits are given only once. No address can be read from
          it.
        </li>
      </ul>
    </div>
  );
}

interface Values {
  email: string;
  password: string;
}

function DeleteForm({ me, onCancel }: { me: User; onCancel: () => void }): ReactNode {
  const form = useForm<Values>({
    defaults: { email: "", password: "" },
    check: ({ email }) =>
      email.trim().toLowerCase() === me.email ? {} : { email: `Type ${me.email} to confirm` },
    send: async ({ email, password }) => {
      const body = { email: email.trim(), ...(password === "" ? {} : { password }) };
      await deleteWithBody("/api/user", body);
      clearSession();
      navigation.go("/?deleted=1");
      return true;
    },
    fallback: "Failed to delete account",
    says: "both",
  });
  return (
    <DialogForm form={form} action="Delete account" kind="danger" onCancel={onCancel}>
      <EntryField form={form} name="email" label={`Type ${me.email} to confirm`} spellCheck={false} />
      <PasswordField
        form={form}
        name="password"
        hint="No password because you use Google? Sign in with Google again, then leave this empty."
      />
    </DialogForm>
  );
}

/** An organisation with members and no other owner has to go to one of them, or go, first. */
function InTheWay({
  organisations,
  onClose,
}: {
  organisations: Departure["in_the_way"];
  onClose: () => void;
}): ReactNode {
  return (
    <div className="stack-4">
      <p className="break">
        {organisations.map(({ name }) => name).join(", ")} {organisations.length === 1 ? "has" : "have"}{" "}
        members and no other owner. Transfer ownership to one of them, or delete the organisation, first.
      </p>
      <div className="row">
        <Button onClick={onClose}>Keep the account</Button>
        <a
          className="button button-primary"
          href={`/switch?${new URLSearchParams({ to: organisations[0]?.id ?? "", next: "/team" })}`}
        >
          Open Team
        </a>
      </div>
    </div>
  );
}

function DeleteDialog({ onClose }: { onClose: () => void }): ReactNode {
  const me = useCurrentUser();
  const departure = useQuery({
    queryKey: ["departure"],
    queryFn: () => readData(api.GET("/api/user/deletion")),
    staleTime: 0,
  });
  const failed = [me, departure].find(({ isError }) => isError);
  return (
    <Dialog title="Delete account" description="This cannot be undone." onClose={onClose}>
      {failed ? <ErrorState query={failed} fallback="Failed to load the account" /> : null}
      {departure.data && departure.data.in_the_way.length > 0 ? (
        <InTheWay organisations={departure.data.in_the_way} onClose={onClose} />
      ) : me.data && departure.data ? (
        <div className="stack-4">
          <DeletionEffects {...departure.data} />
          <DeleteForm me={me.data} onCancel={onClose} />
        </div>
      ) : failed ? null : (
        <SkeletonRows count={6} />
      )}
    </Dialog>
  );
}

/** The way out for good. */
export function DeleteAccount(): ReactNode {
  return (
    <Section anchor="delete" id="delete-heading" title="Delete account" card>
      <p className="muted">
        All your data is deleted at once and you are signed out everywhere. We email you a confirmation.
      </p>
      <div className="row">
        <DialogButton kind="danger" dialog={(close) => <DeleteDialog onClose={close} />}>
          Delete account
        </DialogButton>
      </div>
    </Section>
  );
}
