interface Credentials {
  email: string;
  password: string;
}

/** Only what cannot be an address at all; whether it is one the server knows. */
function isAddressLike(text: string): boolean {
  return /^\S+@\S+$/.test(text.trim());
}

function checkEmail(email: string): { email?: string } {
  if (email.trim() === "") return { email: "Enter your email address" };
  return isAddressLike(email) ? {} : { email: "This does not look like an email address" };
}

export function checkCredentials({ email, password }: Credentials): Partial<Credentials> {
  return { ...checkEmail(email), ...(password === "" ? { password: "Enter your password" } : {}) };
}

export const TOO_SHORT = "Password must be at least 8 characters long";
const MIN_PASSWORD = 8;

export function isTooShort(password: string): boolean {
  return password.length < MIN_PASSWORD;
}

export const PASSWORD_RULES = "At least 8 characters, with letters and numbers, and not a common password.";
