import type { ReactNode } from "react";
import { toast } from "sonner";

import type { TeamRules } from "../../../api/types";
import { useForm } from "../../../lib/use-form";
import { Button } from "../../../ui/button";
import { AreaField, Failure, FormBox } from "../../../ui/form";
import { Section } from "../../../ui/section";
import { saveRules } from "./calls";

function readNetworks(text: string): string[] {
  return text.split(/[\s,;]+/).filter(Boolean);
}

function NetworksForm({ rules }: { rules: TeamRules }): ReactNode {
  const form = useForm({
    defaults: { networks: rules.networks.join("\n") },
    send: async ({ networks }) => {
      const saved = await saveRules({ networks: readNetworks(networks) });
      form.set("networks", saved.networks.join("\n"));
      toast.success(saved.networks.length ? "The networks were saved." : "Members may work from anywhere.");
    },
    fallback: "The networks could not be saved",
    unsent: "networks",
  });
  const address = rules.your_address;
  const addAddress = () => {
    form.set("networks", [...readNetworks(form.values.networks), address].join("\n"));
  };
  const listed = address !== null && readNetworks(form.values.networks).includes(address);
  return (
    <FormBox form={form}>
      <AreaField
        form={form}
        name="networks"
        label="Allowed addresses and networks"
        hint="One per line, up to 50. Leave it empty to allow any."
        className="input addresses"
        placeholder="203.0.113.0/24"
        spellCheck={false}
      />
      {address === null ? null : (
        <p className="row">
          <span>
            Your address is <span className="mono break">{address}</span>. It has to be among them.
          </span>
          {listed ? null : <Button onClick={addAddress}>Add it</Button>}
        </p>
      )}
      <Failure>{form.failure}</Failure>
      <div className="row">
        <Button type="submit" kind="primary" busy={form.busy}>
          Save networks
        </Button>
      </div>
    </FormBox>
  );
}

function NetworksList({ networks }: { networks: readonly string[] }): ReactNode {
  if (networks.length === 0) return <p>Members may work from any address.</p>;
  return (
    <ul className="bullets">
      {networks.map((network) => (
        <li key={network} className="mono break">
          {network}
        </li>
      ))}
    </ul>
  );
}

/** From where people may work in the organisation; its own owners and admins can change that. */
export function NetworksRule({ rules }: { rules: TeamRules }): ReactNode {
  return (
    <Section id="rule-networks" title="Networks" card>
      <p className="muted">
        Members reach this organisation from these addresses alone. API keys have addresses of their own, and
        other organisations of the same people go on.
      </p>
      {rules.may_set_networks ? <NetworksForm rules={rules} /> : <NetworksList networks={rules.networks} />}
    </Section>
  );
}
