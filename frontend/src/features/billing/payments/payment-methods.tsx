import { useMutation, useQuery } from "@tanstack/react-query";
import { CreditCard, ShieldCheck, WalletCards } from "lucide-react";
import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { PaymentMethod } from "../../../api/types";
import { api, dataOf } from "../../../lib/client";
import { messageOf } from "../../../lib/errors";
import { queryClient } from "../../../lib/query";
import { sentenceCase } from "../../../lib/words";
import { Button, ButtonLink } from "../../../ui/button";
import { Confirm } from "../../../ui/confirm";
import { Empty, Loaded } from "../../../ui/states";

const METHODS = ["payment-methods"] as const;

function nameOf({ payment_method_type, card_brand }: PaymentMethod): string {
  return payment_method_type === "card" ? sentenceCase(card_brand ?? "card") : "PayPal";
}

function detailOf({ card_last_four, account }: PaymentMethod): string {
  return card_last_four ? `ending in ${card_last_four}` : account;
}

async function done({ message }: { message: string }): Promise<void> {
  toast.success(message);
  await queryClient.invalidateQueries({ queryKey: METHODS });
}

function Remove({ method, onClose }: { method: PaymentMethod; onClose: () => void }): ReactNode {
  const removing = useMutation({
    mutationFn: () =>
      dataOf(api.DELETE("/api/payment-methods/{method_id}", { params: { path: { method_id: method.id } } })),
    onSuccess: (answer) => {
      onClose();
      return done(answer);
    },
  });
  return (
    <Confirm
      title="Remove this payment method?"
      action="Remove"
      busy={removing.isPending}
      failure={removing.isError ? messageOf(removing.error, "Failed to remove payment method") : null}
      onConfirm={() => removing.mutate()}
      onClose={onClose}
    >
      <p>
        <strong className="break">
          {nameOf(method)} {detailOf(method)}
        </strong>{" "}
        is removed from this list. It comes back when you pay with it again. Nothing changes at PayPal.
      </p>
    </Confirm>
  );
}

function Row({ method }: { method: PaymentMethod }): ReactNode {
  const [asking, setAsking] = useState(false);
  const saving = useMutation({
    mutationFn: () => {
      const params = { path: { method_id: method.id } };
      return dataOf(api.PUT("/api/payment-methods/{method_id}", { params, body: { is_default: true } }));
    },
    onSuccess: done,
    onError: (error) => toast.error(messageOf(error, "Failed to update default payment method")),
  });
  const Icon = method.payment_method_type === "card" ? CreditCard : WalletCards;
  const words = `${nameOf(method)} ${detailOf(method)}`;
  return (
    <li className="list-row">
      <Icon className="muted" size={20} aria-hidden />
      <div className="grow">
        <p className="row">
          <strong>{nameOf(method)}</strong>
          {method.is_default ? <span className="badge tone-accent">Default</span> : null}
        </p>
        <p className="muted small break">{detailOf(method)}</p>
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
        <Button aria-label={`Remove ${words}`} onClick={() => setAsking(true)}>
          Remove
        </Button>
      </div>
      {asking ? <Remove method={method} onClose={() => setAsking(false)} /> : null}
    </li>
  );
}

function List({ methods }: { methods: readonly PaymentMethod[] }): ReactNode {
  if (methods.length === 0) {
    return (
      <Empty
        icon={WalletCards}
        title="No Payment Methods"
        action={<ButtonLink href="/dashboard?tab=pricing">See the plans</ButtonLink>}
      >
        Methods appear here automatically after you have paid through PayPal.
      </Empty>
    );
  }
  return (
    <>
      <ul className="list-rows">
        {methods.map((method) => (
          <Row key={method.id} method={method} />
        ))}
      </ul>
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
      const answer = await dataOf(api.GET("/api/payment-methods"));
      return Array.isArray(answer) ? (answer as PaymentMethod[]) : answer.payment_methods;
    },
  });
  return (
    <section className="card stack-4" aria-labelledby="methods-heading">
      <h2 id="methods-heading">Payment methods</h2>
      <Loaded query={methods} fallback="Failed to load payment methods" rows={3}>
        {(found) => <List methods={found} />}
      </Loaded>
      <p className="muted small security-note">
        <ShieldCheck size={16} aria-hidden />
        You enter cards and passwords only at PayPal. We never see or keep a card number.
      </p>
    </section>
  );
}
