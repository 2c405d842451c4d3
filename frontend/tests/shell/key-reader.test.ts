import { expect, it } from "vitest";

import { createKeyReader } from "../../src/shell/key-reader";

it("[look-08] g and the key after it are one command, if that comes within 1.5 s", () => {
  const readKey = createKeyReader();
  expect([readKey("g", 0), readKey("h", 1_500)]).toEqual(["g", "g h"]);
  expect([readKey("g", 3_000), readKey("h", 4_501)]).toEqual(["g", "h"]);
  expect([readKey("g", 5_000), readKey("g", 5_100), readKey("v", 5_200)]).toEqual(["g", "g g", "v"]);
});
