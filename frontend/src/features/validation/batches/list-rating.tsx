import Star from "lucide-react/icons/star";
import X from "lucide-react/icons/x";
import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import { api, readData } from "../../../lib/client";
import { useForm } from "../../../lib/use-form";
import { IconButton } from "../../../ui/button";
import { AreaField, FormBox } from "../../../ui/form";
import { SubmitButton } from "../../../ui/form-foot";

const ASKED = "rated:";
const RATINGS = [1, 2, 3, 4, 5] as const;
const WORDS = ["Very bad", "Bad", "Fair", "Good", "Very good"];

function wasRated(batchId: string): boolean {
  return localStorage.getItem(ASKED + batchId) !== null;
}

interface StarsProps {
  value: number;
  onChange: (value: number) => void;
}

function Stars({ value, onChange }: StarsProps): ReactNode {
  return (
    <div className="rating" role="group" aria-label="Rating">
      {RATINGS.map((rating) => (
        <button
          key={rating}
          type="button"
          aria-label={`${rating} of 5: ${WORDS[rating - 1] ?? ""}`}
          title={WORDS[rating - 1]}
          aria-pressed={rating === value}
          onClick={() => onChange(rating)}
        >
          <Star size={22} aria-hidden fill={rating <= value ? "currentColor" : "none"} />
        </button>
      ))}
    </div>
  );
}

interface RatingFormProps {
  batchId: string;
  onDone: () => void;
}

function RatingForm({ batchId, onDone }: RatingFormProps): ReactNode {
  const [rating, setRating] = useState(0);
  const form = useForm({
    defaults: { text: "" },
    send: async ({ text }) => {
      const body = { rating, context: batchId, text };
      toast.success((await readData(api.POST("/api/feedback", { body }))).message);
      onDone();
    },
    fallback: "Failed to send your feedback",
    says: "toast",
  });
  return (
    <FormBox form={form} className="rate">
      <Stars value={rating} onChange={setRating} />
      {rating === 0 ? null : (
        <>
          <AreaField
            form={form}
            name="text"
            label="What could be better? (optional)"
            className="input"
            rows={2}
            maxLength={2000}
          />
          <div className="row">
            <SubmitButton form={form}>Send</SubmitButton>
          </div>
        </>
      )}
    </FormBox>
  );
}

/** Asks once how a finished list went; an answer or the cross is the end of it. */
export function ListRating({ batchId }: { batchId: string }): ReactNode {
  const [asked, setAsked] = useState(() => wasRated(batchId));
  if (asked) return null;
  const done = () => {
    localStorage.setItem(ASKED + batchId, "1");
    setAsked(true);
  };
  return (
    <section className="card" aria-labelledby="rate-heading">
      <div className="card-head">
        <h2 id="rate-heading">How did this list go?</h2>
        <IconButton label="Do not ask again" onClick={done}>
          <X size={18} aria-hidden />
        </IconButton>
      </div>
      <RatingForm batchId={batchId} onDone={done} />
    </section>
  );
}
