// What the tab Validate offers where the world is simulated.
import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import Validate from "../../src/islands/validate";
import { historyPage, result } from "../data";
import { show } from "../render";
import { json, serve, type Handler } from "../server";

const FIELD = "Single address, or paste a list";

const nothingRunning: Record<string, Handler> = {
  "GET /api/validate/batches": () => json(historyPage()),
  "GET /api/credits": () => json({ credits: 5 }),
};

describe("in the sandbox", () => {
  it("an example is validated at one press, and the way to all others is shown", async () => {
    const email = "gone.keller@gmail.com";
    const calls = serve({
      ...nothingRunning,
      "POST /api/validate/single": () => json(result({ email, category: "invalid" })),
    });
    const user = show(<Validate sandbox />);
    expect(screen.getByRole("link", { name: "all simulated addresses" }).getAttribute("href")).toBe(
      "/sandbox",
    );
    await user.click(screen.getByRole("button", { name: `Invalid ${email}` }));
    expect(await screen.findByRole("region", { name: email })).toBeTruthy();
    expect(screen.getByLabelText<HTMLTextAreaElement>(FIELD).value).toBe(email);
    expect(calls.filter(({ method }) => method === "POST").map(({ body }) => body)).toEqual([
      `{"email":"${email}","repair":true}`,
    ]);
  });

  it("an address brought along by a link waits in the field and is not charged", () => {
    history.replaceState(null, "", "/dashboard?tab=validate&address=anna%2Bnews%40gmail.com");
    const calls = serve(nothingRunning);
    show(<Validate sandbox />);
    expect(screen.getByLabelText<HTMLTextAreaElement>(FIELD).value).toBe("anna+news@gmail.com");
    expect(calls.filter(({ method }) => method === "POST")).toEqual([]);
  });

  it("outside of it there are no examples and no samples", () => {
    serve(nothingRunning);
    show(<Validate sandbox={false} />);
    expect(screen.queryByText(/example|sample/i)).toBeNull();
  });
});
