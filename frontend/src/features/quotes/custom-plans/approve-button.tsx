import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { toast } from "sonner";

import type { PlanRequest } from "../../../api/types";
import { reloadAdmin } from "../../adminpanel/use-admin-query";
import { api, readData } from "../../../lib/client";
import { useForm } from "../../../lib/use-form";
import { Button } from "../../../ui/button";
import { DialogButton } from "../../../ui/dialog-button";
import { sayReason } from "../staff/quote-data";
import { CUSTOM_PLANS, OPEN_INVOICES } from "./plan-features";
import { FormDialog } from "../../../ui/form-dialog";
import { ReasonField } from "../../../ui/reason-form";

export const PLAN_REQUESTS = ["plan-requests"] as const;
const FAILED = "Failed to approve plan request";

async function approveRequest(request: PlanRequest, reason: string): Promise<void> {
  const params = { path: { request_id: request.id } };
  const call = api.POST("/api/admin/plan-requests/{request_id}/approve", { params, body: { reason } });
  try {
    toast.success((await sayReason(readData(call), FAILED)).message);
  } finally {
    void reloadAdmin(...PLAN_REQUESTS);
    void reloadAdmin(...OPEN_INVOICES);
    void reloadAdmin(...CUSTOM_PLANS);
  }
}

interface ReasonProps {
  request: PlanRequest;
  onClose: () => void;
}

/** A plan without a payment takes a second thought and a reason. */
function ReasonDialog({ request, onClose }: ReasonProps): ReactNode {
  const form = useForm({
    defaults: { reason: "" },
    check: ({ reason }) =>
      reason.trim() === "" ? { reason: "Say why the plan begins without a payment" } : {},
    send: async ({ reason }) => {
      await approveRequest(request, reason.trim());
      onClose();
    },
    fallback: FAILED,
  });
  const monthly = request.selected_plan === "monthly";
  return (
    <FormDialog
      title={`Approve ${request.quote_id} without a payment?`}
      onClose={onClose}
      form={form}
      action="Approve without payment"
      kind="danger"
    >
      <p className="break">
        {request.customer_email} has not paid. The plan{" "}
        {request.organisation ? `of the organisation ${request.organisation}` : "of this address"} becomes
        active at once, with {monthly ? "the first month's credits" : "all its credits"}, and an open invoice
        goes out to the customer.
      </p>
      <ReasonField form={form} required />
    </FormDialog>
  );
}

/** Paid requests are activated by one press; unpaid ones ask for a reason first. */
export function ApproveButton({ request }: { request: PlanRequest }): ReactNode {
  const press = useMutation({ mutationFn: () => approveRequest(request, "") });
  if (request.status === "payment_received") {
    return (
      <Button
        kind="primary"
        busy={press.isPending}
        aria-label={`Approve Payment & Activate ${request.quote_id}`}
        onClick={() => press.mutate()}
      >
        Approve Payment &amp; Activate
      </Button>
    );
  }
  return (
    <DialogButton
      aria-label={`Approve & Create Plan ${request.quote_id}`}
      dialog={(close) => <ReasonDialog request={request} onClose={close} />}
    >
      Approve &amp; Create Plan
    </DialogButton>
  );
}
