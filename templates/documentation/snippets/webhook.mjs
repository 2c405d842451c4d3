import { createHmac, timingSafeEqual } from "node:crypto";

/** `secret` is the endpoint's whsec_…, `body` the bytes exactly as they came (a Buffer). */
export function isOurs(secret, headers, body) {
  const id = headers["webhook-id"];
  const timestamp = headers["webhook-timestamp"];
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const hash = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body);
  const right = Buffer.from(`v1,${hash.digest("base64")}`);
  return headers["webhook-signature"].split(" ").some((one) => {
    const given = Buffer.from(one);
    return given.length === right.length && timingSafeEqual(given, right);
  });
}
