import type { ReactNode } from "react";

export default function Soon(): ReactNode {
  return null;
}
