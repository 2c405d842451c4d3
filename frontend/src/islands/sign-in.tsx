import { zodResolver } from "@hookform/resolvers/zod";
import { useState, type ReactNode } from "react";
import { useForm } from "react-hook-form";
import { email, minLength, object, string } from "zod/mini";

import type { LoginAnswer } from "../api/types";
import { ApiError, messageOf } from "../lib/errors";
import { flashNext } from "../lib/flash";
import { navigation, storeToken } from "../lib/session";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";

const credentials = object({
  email: string().check(
    minLength(1, "Enter your email address"),
    email("This does not look like an email address"),
  ),
  password: string().check(minLength(1, "Enter your password")),
});

interface Credentials {
  email: string;
  password: string;
}

async function signIn(body: Credentials): Promise<void> {
  const response = await fetch("/api/auth/login", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  }).catch(() => {
    throw ApiError.unreachable();
  });
  if (!response.ok) throw await ApiError.from(response);
  const { token } = (await response.json()) as LoginAnswer;
  storeToken(token);
  flashNext("Welcome back!");
  navigation.go("/dashboard");
}

function useSignIn(defaultValues: Credentials) {
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm<Credentials>({ resolver: zodResolver(credentials), defaultValues });
  const { isSubmitting, isSubmitSuccessful } = form.formState;
  const submit = form.handleSubmit(async (values) => {
    setFailure(null);
    try {
      await signIn(values);
    } catch (error) {
      // An error on the form keeps it from counting as submitted.
      form.setError("root", {});
      setFailure(messageOf(error, "Authentication failed"));
    }
  });
  // Stays busy after success, until the next page is there.
  return { form, submit, failure, busy: isSubmitting || isSubmitSuccessful };
}

function SignInForm(defaults: Credentials): ReactNode {
  const { form, submit, failure, busy } = useSignIn(defaults);
  const { errors } = form.formState;
  return (
    <form className="stack-4" noValidate onSubmit={(event) => void submit(event)}>
      <Field label="Email" error={errors.email?.message}>
        {(control) => (
          <input
            {...control}
            className="input"
            type="email"
            autoComplete="username"
            {...form.register("email")}
          />
        )}
      </Field>
      <Field label="Password" error={errors.password?.message}>
        {(control) => (
          <input
            {...control}
            className="input"
            type="password"
            autoComplete="current-password"
            {...form.register("password")}
          />
        )}
      </Field>
      {failure ? (
        <p className="notice notice-danger" role="alert">
          {failure}
        </p>
      ) : null}
      <Button kind="primary" type="submit" busy={busy}>
        Sign In
      </Button>
    </form>
  );
}

/** The dialog; a demo login's button brings e-mail and password with it. */
export default function SignIn({ email = "", password = "" }: Partial<Credentials>): ReactNode {
  const [open, setOpen] = useState(true);
  if (!open) return null;
  return (
    <Dialog title="Sign in" onClose={() => setOpen(false)}>
      <SignInForm email={email} password={password} />
    </Dialog>
  );
}
