import { useState, type ReactNode } from "react";

import type { StaffUser } from "../../../api/types";
import { useAdminQuery } from "../../adminpanel/use-admin-query";
import { api, readData } from "../../../lib/client";
import { getErrorMessage } from "../../../lib/errors";
import { useDebounced } from "../../../lib/use-debounced";
import { toSentenceCase } from "../../../lib/labels";
import { InputField } from "../../../ui/field";

const FEWEST_LETTERS = 2;
const SHOWN = 6;

function useCustomerSearch(search: string) {
  const query = { search, page_size: SHOWN };
  return useAdminQuery(["customers", search], async () =>
    search.length < FEWEST_LETTERS
      ? null
      : (await readData(api.GET("/api/admin/users/authenticated", { params: { query } }))).users,
  );
}

interface PickerProps {
  chosen: StaffUser | null;
  error: string | undefined;
  onPick: (user: StaffUser) => void;
}

function Options({ search, chosen, onPick }: { search: string } & Omit<PickerProps, "error">): ReactNode {
  const { data, error } = useCustomerSearch(search);
  if (error) return <p className="field-error">{getErrorMessage(error, "Failed to load users")}</p>;
  const found = data ?? [];
  const shown = chosen && !found.some(({ id }) => id === chosen.id) ? [chosen, ...found] : found;
  if (shown.length === 0) return data ? <p className="muted small">No account matches.</p> : null;
  return (
    <fieldset className="choices">
      <legend className="visually-hidden">Accounts found</legend>
      {shown.map((user) => (
        <label key={user.id} className="choice">
          <input
            type="radio"
            name="customer"
            checked={chosen?.id === user.id}
            onChange={() => onPick(user)}
          />
          <span className="break">
            {user.name}{" "}
            <span className="muted small">
              {user.email} · {toSentenceCase(user.subscription_plan)}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** Finds an account by name, address or organisation, and picks one. */
export function CustomerPicker({ chosen, error, onPick }: PickerProps): ReactNode {
  const [typed, setTyped] = useState("");
  const search = useDebounced(typed.trim());
  return (
    <div className="stack-2">
      <InputField
        label="Customer"
        hint="A part of the name, the email address, or the organisation"
        error={error}
        type="search"
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Options search={search} chosen={chosen} onPick={onPick} />
    </div>
  );
}
