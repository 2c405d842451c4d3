import { useQuery } from "@tanstack/react-query";
import CreditCard from "lucide-react/icons/credit-card";
import ShieldCheck from "lucide-react/icons/shield-check";
import WalletCards from "lucide-react/icons/wallet-cards";
import { useState, type ReactNode } from "react";

import type { PaymentMethod } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { queryClient } from "../../../lib/query";
import { toSentenceCase } from "../../../lib/labels";
import { Badge } from "../../../ui/badge";
import { Button, ButtonLink } from "../../../ui/button";
import { ConfirmDialog } from "../../../ui/confirm-dialog";
import { ListRows, NothingHere } from "../../../ui/data-table/list-rows";
import { RowMenu } from "../../../ui/row-menu";
import { Section } from "../../../ui/section";
import { Loaded } from "../../../ui/states";
import { getMessage, useAction, useLoadToast } from "../../../lib/use-action";

const METHODS = ["payment-methods"] as const;

function getMethodName({ payment_method_type, card_brand }: PaymentMethod): string {
  return payment_method_type === "card" ? toSentenceCase(card_brand ?? "card") : "PayPal";
}

function getMethodDetail({ card_last_four, account }: PaymentMethod): string {
  return card_last_four ? `ending in ${card_last_four}` : account;
}

function reloadMethods(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: METHODS });
}

function RemoveDialog({ method, onClose }: { method: PaymentMethod; onClose: () => void }): ReactNode {
  const params = { path: { method_id: method.id } };
  return (
    <ConfirmDialog
      title="Remove this payment method?"
      action="Remove"
      act={() => readData(api.DELETE("/api/payment-methods/{method_id}", { params }))}
      failed="Failed to remove payment method"
      says="here"
      onEnd={reloadMethods}
      onClose={onClose}
    >
      <p>
        <strong className="break">
          {getMethodName(method)} {getMethodDetail(method)}
        </strong>{" "}
        is removed from this list. It comes back when you pay with it again. Nothing changes at PayPal.
      </p>
    </ConfirmDialog>
  );
}

function makeDefault({ id }: PaymentMethod): Promise<{ message: string }> {
  const params = { path: { method_id: id } };
  return readData(api.PUT("/api/payment-methods/{method_id}", { params, body: { is_default: true } }));
}

const NOT_DEFAULT = "Failed to update default payment method";

interface MethodRowProps {
  method: PaymentMethod;
  /** The default as it is; taking a change back makes it so again. */
  current: PaymentMethod | undefined;
}

function MethodRow({ method, current }: MethodRowProps): ReactNode {
  const [removing, setRemoving] = useState(false);
  const restoring = useAction(makeDefault, NOT_DEFAULT, { done: getMessage, onDone: reloadMethods });
  const saving = useAction(() => makeDefault(method), NOT_DEFAULT, {
    done: getMessage,
    undo: current ? () => restoring.mutate(current) : undefined,
    onDone: reloadMethods,
  });
  const Icon = method.payment_method_type === "card" ? CreditCard : WalletCards;
  const words = `${getMethodName(method)} ${getMethodDetail(method)}`;
  return (
    <li className="list-row">
      <Icon className="muted" size={20} aria-hidden />
      <div className="grow">
        <p className="row">
          <strong>{getMethodName(method)}</strong>
          {method.is_default ? <Badge look={["Default", "accent"]} /> : null}
        </p>
        <p className="muted small break">{getMethodDetail(method)}</p>
      </div>
      <div className="row">
        {method.is_default ? null : (
          <Button
            busy={saving.isPending}
            aria-label={`Set ${words} as default`}
            onClick={() => saving.mutate()}
          >
            Set as default
          </Button>
        )}
        <RowMenu
          row={words}
          actions={[{ words: "Remove", name: `Remove ${words}`, act: () => setRemoving(true) }]}
        />
      </div>
      {removing ? <RemoveDialog method={method} onClose={() => setRemoving(false)} /> : null}
    </li>
  );
}

const NO_METHODS = {
  title: "No Payment Methods",
  text: "Methods appear here automatically after you have paid through PayPal.",
  action: <ButtonLink href="/dashboard?tab=pricing">See the plans</ButtonLink>,
};

function MethodList({ methods }: { methods: readonly PaymentMethod[] }): ReactNode {
  if (methods.length === 0) return <NothingHere nothing={NO_METHODS} />;
  const current = methods.find(({ is_default }) => is_default);
  return (
    <>
      <ListRows
        rows={methods}
        item={(method) => <MethodRow key={method.id} method={method} current={current} />}
      />
      <p className="muted small">
        The default is used for your next purchase. A running PayPal agreement keeps its method until you
        change it at PayPal.
      </p>
    </>
  );
}

/** What was paid with, as PayPal tells it. */
export function PaymentMethods(): ReactNode {
  const methods = useQuery({
    queryKey: METHODS,
    queryFn: async () => {
      const answer = await readData(api.GET("/api/payment-methods"));
      return Array.isArray(answer) ? (answer as PaymentMethod[]) : answer.payment_methods;
    },
  });
  useLoadToast(methods, "Failed to load payment methods");
  return (
    <Section id="methods-heading" title="Payment methods" card>
      <Loaded query={methods} fallback="Failed to load payment methods" rows={3}>
        {(found) => <MethodList methods={found} />}
      </Loaded>
      <p className="muted small security-note">
        <ShieldCheck size={16} aria-hidden />
        You enter cards and passwords only at PayPal. We never see or keep a card number.
      </p>
    </Section>
  );
}
