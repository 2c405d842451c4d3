import { render, screen } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { listOpen, PAGES, SETTINGS } from "../../src/features/palette/entries";
import { switchOrganisation } from "../../src/features/accounts/team/switch";
import { api, openApi } from "../../src/lib/client";
import { describeRefusal, mayDo } from "../../src/lib/rights";
import { navigation } from "../../src/lib/session";
import { installOrganisations } from "../../src/shell/organisation";
import { Allowed } from "../../src/ui/allowed";
import { Button, ButtonLink } from "../../src/ui/button";
import { SENTENCE, workAs } from "../organisations";
import { json, refusal, serve } from "../server";

beforeEach(() => localStorage.setItem("token", "token-1"));

describe("[ORG-006] what a role does not include", () => {
  it("is known by the page, which leaves it to the server where it says nothing", () => {
    expect([mayDo("pay"), mayDo("own")]).toEqual([true, true]);
    workAs("billing");
    expect([mayDo("look"), mayDo("pay"), mayDo("read"), mayDo("own")]).toEqual([true, true, false, false]);
    expect(describeRefusal()).toBe(SENTENCE("billing"));
  });

  it("cannot be pressed, is no link, and stands as a card in place of its part", () => {
    workAs("viewer");
    const press = vi.fn();
    render(
      <>
        <Button needs="check" onClick={press}>
          Check
        </Button>
        <Button needs="read">Read</Button>
        <ButtonLink needs="pay" href="/dashboard?tab=pricing">
          Upgrade
        </ButtonLink>
        <Allowed right="pay">Invoices</Allowed>
        <Allowed right="read">Results</Allowed>
      </>,
    );
    const check = screen.getByRole("button", { name: "Check" });
    check.click();
    expect(press).not.toHaveBeenCalled();
    expect([check.getAttribute("aria-disabled"), check.title]).toEqual(["true", SENTENCE("viewer")]);
    expect(screen.getByRole("button", { name: "Read" }).getAttribute("aria-disabled")).toBeNull();
    expect(screen.queryByRole("link", { name: "Upgrade" })).toBeNull();
    expect(screen.queryByText("Invoices")).toBeNull();
    expect(screen.getByText("Results")).toBeTruthy();
    expect(screen.getByText(SENTENCE("viewer"))).toBeTruthy();
  });

  it("is not found by the palette", () => {
    workAs("viewer");
    const found = [...listOpen(PAGES), ...listOpen(SETTINGS)].map(({ label }) => label);
    expect(found).toEqual(expect.arrayContaining(["History", "Analytics", "Team", "Privacy"]));
    for (const label of ["Validate", "Upgrade", "API keys", "Webhooks", "Invoices"]) {
      expect(found).not.toContain(label);
    }
  });
});

describe("[ORG-025] the organisation of a page", () => {
  it("is named by every call with a token, and by none without", async () => {
    workAs("viewer");
    const calls = serve({ "GET /api/credits": () => json({}), "POST /api/auth/logout": () => json({}) });
    await api.GET("/api/credits");
    await openApi.POST("/api/auth/logout");
    expect(calls.map(({ headers }) => headers.get("X-Organisation"))).toEqual(["org_birch", null]);
  });

  it("is not named by pages that are about none", async () => {
    const calls = serve({ "GET /api/credits": () => json({}) });
    await api.GET("/api/credits");
    expect(calls.map(({ headers }) => headers.has("X-Organisation"))).toEqual([false]);
  });

  it("[ORG-013] tells who no longer belongs to it, with the way to the own one", async () => {
    workAs("viewer");
    document.body.innerHTML = "<main><p>Lists</p></main>";
    installOrganisations();
    serve({
      "GET /api/credits": () => refusal(404, "NOT_FOUND", "Organisation not found"),
      "GET /api/referral/stats": () => refusal(404, "NOT_FOUND", "Not found"),
    });
    await expect(api.GET("/api/referral/stats")).rejects.toThrow("Not found");
    expect(document.querySelector("main")?.textContent).toBe("Lists");
    await expect(api.GET("/api/credits")).rejects.toThrow("Organisation not found");
    await expect(api.GET("/api/credits")).rejects.toThrow("Organisation not found");
    const titles = screen.getAllByRole("heading").map(({ textContent }) => textContent);
    expect(titles).toEqual(["You no longer belong to this organisation"]);
    expect(screen.getByRole("link").getAttribute("href")).toBe("/dashboard");
  });
});

describe("[ORG-025] switching", () => {
  it("asks the server, forgets what was found in the other one, and goes on there", async () => {
    workAs("viewer");
    const go = vi.spyOn(navigation, "go").mockReturnValue();
    localStorage.setItem("recent-choices", "[]");
    const calls = serve({ "POST /api/organisation/switch": () => json({}) });
    document.body.innerHTML = `<button data-switch="org_own" data-next="/dashboard/batch/b-1">Switch</button>`;
    installOrganisations();
    screen.getByRole("button").click();
    await vi.waitFor(() => expect(go).toHaveBeenCalledWith("/dashboard/batch/b-1"));
    expect(calls[0]?.body).toBe('{"organisation":"org_own"}');
    expect(localStorage.getItem("recent-choices")).toBeNull();
    document.body.replaceChildren(); // this page serves the tests after it too
  });

  it("to the one of the page only goes to its start; a refusal stays", async () => {
    workAs("viewer");
    const go = vi.spyOn(navigation, "go").mockReturnValue();
    const calls = serve({ "POST /api/organisation/switch": () => refusal(404, "NOT_FOUND", "Gone") });
    await switchOrganisation("org_birch");
    expect([calls.length, go.mock.calls]).toEqual([0, [["/dashboard"]]]);
    await switchOrganisation("org_other");
    expect([calls.length, go.mock.calls.length]).toEqual([1, 1]);
  });
});
