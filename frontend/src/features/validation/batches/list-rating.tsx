import Star from "lucide-react/icons/star";
import X from "lucide-react/icons/x";
import { useState, type ReactNode } from "react";

import { api, readData } from "../../../lib/client";
import { getMessage, useAction } from "../../../lib/use-action";
import { Button, IconButton } from "../../../ui/button";
import { Field } from "../../../ui/field";

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
  const [text, setText] = useState("");
  const sending = useAction(
    () => readData(api.POST("/api/feedback", { body: { rating, context: batchId, text } })),
    "Failed to send your feedback",
    { done: getMessage, onDone },
  );
  return (
    <form
      className="rate"
      onSubmit={(event) => {
        event.preventDefault();
        sending.mutate();
      }}
    >
      <Stars value={rating} onChange={setRating} />
      {rating === 0 ? null : (
        <>
          <Field label="What could be better? (optional)">
            {(control) => (
              <textarea
                {...control}
                className="input"
                rows={2}
                maxLength={2000}
                value={text}
                onChange={(event) => setText(event.target.value)}
              />
            )}
          </Field>
          <div className="row">
            <Button kind="primary" type="submit" busy={sending.isPending}>
              Send
            </Button>
          </div>
        </>
      )}
    </form>
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
