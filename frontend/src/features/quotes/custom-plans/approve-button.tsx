import { useMutation, type UseMutationResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { toast } from "sonner";

import type { PlanRequest } from "../../../api/types";
import { reloadAdmin } from "../../adminpanel/use-admin-query";
import { api, readData } from "../../../lib/client";
import { useForm } from "../../../lib/use-form";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { DialogButton } from "../../../ui/dialog-button";
import { AreaField, FormBox } from "../../../ui/form";
import { getReason } from "../staff/quote-data";
import { CUSTOM_PLANS, OPEN_INVOICES } from "./plan-features";

export const PLAN_REQUESTS = ["plan-requests"] as const;

async function approveRequest(request: PlanRequest, reason: string): Promise<void> {
  const params = { path: { request_id: request.id } };
  try {
    const { message } = await readData(
      api.POST("/api/admin/plan-requests/{request_id}/approve", { params, body: { reason } }),
    );
    toast.success(message);
  } catch (error) {
    toast.error(`Failed to approve plan request: ${getReason(error)}`);
    throw error;
  } finally {
    void reloadAdmin(...PLAN_REQUESTS);
    void reloadAdmin(...OPEN_INVOICES);
    void reloadAdmin(...CUSTOM_PLANS);
  }
}

function useApproveRequest(request: PlanRequest): UseMutationResult<void, Error, string> {
  return useMutation({ mutationFn: (reason: string) => approveRequest(request, reason) });
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
    fallback: "Failed to approve plan request",
  });
  const monthly = request.selected_plan === "monthly";
  return (
    <Dialog title={`Approve ${request.quote_id} without a payment?`} onClose={onClose}>
      <FormBox form={form}>
        <p className="break">
          {request.customer_email} has not paid. The plan becomes active at once, with{" "}
          {monthly ? "the first month's credits" : "all its credits"}, and an open invoice goes out to the
          customer.
        </p>
        <AreaField
          form={form}
          name="reason"
          label="Reason"
          hint="Kept with your name."
          maxLength={500}
          required
        />
        <div className="dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" type="submit" busy={form.busy}>
            Approve without payment
          </Button>
        </div>
      </FormBox>
    </Dialog>
  );
}

/** Paid requests are activated by one press; unpaid ones ask for a reason first. */
export function ApproveButton({ request }: { request: PlanRequest }): ReactNode {
  const press = useApproveRequest(request);
  if (request.status === "payment_received") {
    return (
      <Button
        kind="primary"
        busy={press.isPending}
        aria-label={`Approve Payment & Activate ${request.quote_id}`}
        onClick={() => press.mutate("")}
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
