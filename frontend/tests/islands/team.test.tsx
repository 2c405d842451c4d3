import { screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";

import Team from "../../src/islands/team";
import { navigation } from "../../src/lib/session";
import { ALICE, BOB, SENTENCE, tellTeam, workAs } from "../organisations";
import { choose, show } from "../render";
import { json, refusal, serve, type Handler } from "../server";

const done: Handler = () => json({ message: "Done." });

/** What a call was told, as it is read from the network. */
function bodiesOf(calls: ReturnType<typeof serve>, name: string): unknown[] {
  return calls
    .filter(({ method, path }) => `${method} ${path}` === name)
    .map(({ body }) => (body === "" ? null : (JSON.parse(body) as unknown)));
}

async function dialog(name: string): Promise<HTMLElement> {
  return screen.findByRole("dialog", { name });
}

describe("members", () => {
  it("[ORG-003] are listed with role, last activity, credits and second factor, beside seats and invitations", async () => {
    workAs("owner");
    serve(tellTeam());
    show(<Team />);
    const table = await screen.findByRole("table", { name: "Members" });
    const cells = within(table)
      .getAllByRole("row")
      .slice(1)
      .map((row) => within(row).getAllByRole("cell"));
    expect(cells.map((row) => row.map(({ textContent }) => textContent).slice(0, 2))).toEqual([
      ["Alice AlderYoualice@birch.com", "Owner"],
      ["Bob Birchbob@birch.com", "Viewer"],
    ]);
    expect(cells.map((row) => row.map(({ textContent }) => textContent).slice(3, 5))).toEqual([
      ["1,200", "On"],
      ["0of 500", "Off"],
    ]);
    expect(cells[1]?.[2]?.textContent).toBe("Never");
    expect(screen.getByText("2 of 100 seats used · 1 of 50 invitations open")).toBeTruthy();
    expect(screen.getByText("carol@birch.com")).toBeTruthy();
    expect(screen.getByText("As Member, by Alice Alder · until 8 March 2126")).toBeTruthy();
    expect(screen.getByText(/Single sign-on by SAML is not offered/)).toBeTruthy();
  });

  it("[ORG-003] are only you so far, who can invite", async () => {
    workAs("owner");
    serve(tellTeam({ alone: true }, { members: [ALICE], invitations: [] }));
    const user = show(<Team />);
    expect(await screen.findByRole("heading", { name: "Only you so far" })).toBeTruthy();
    expect(screen.queryByRole("table")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Invite" }));
    expect(await dialog("Invite to Birch & Co")).toBeTruthy();
  });

  it.each(["GET /api/organisation", "GET /api/organisation/members"])(
    "[ORG-003] show an error and Retry when %s fails, and no figures",
    async (name) => {
      workAs("owner");
      const well = tellTeam();
      let fails = true;
      serve({
        ...well,
        [name]: (call) =>
          fails ? refusal(503, "UNAVAILABLE", "Try again soon") : well[name as keyof typeof well](call),
      });
      const user = show(<Team />);
      expect((await screen.findByRole("alert")).textContent).toContain("Try again soon");
      expect(screen.queryByText(/seats used/)).toBeNull();
      fails = false;
      await user.click(screen.getByRole("button", { name: "Retry" }));
      expect(await screen.findByRole("table", { name: "Members" })).toBeTruthy();
    },
  );

  it("[ORG-006] [ORG-021] have caps that an admin sets for others than owners and the own", async () => {
    workAs("admin");
    const you = { ...BOB, id: 3, name: "Dora Dale", role: "admin", is_you: true };
    serve(tellTeam({ role: "admin" }, { members: [{ ...ALICE, is_you: false }, BOB, you] }));
    const user = show(<Team />);
    await user.click(await screen.findByRole("button", { name: "More actions for Bob Birch" }));
    expect(await screen.findByRole("menuitem", { name: "Set a cap for Bob Birch" })).toBeTruthy();
    await user.keyboard("{Escape}");
    await user.click(screen.getByRole("button", { name: "More actions for Alice Alder" }));
    await screen.findByRole("menuitem", { name: "Remove Alice Alder" });
    expect(screen.queryByRole("menuitem", { name: "Set a cap for Alice Alder" })).toBeNull();
    expect(screen.queryByRole("button", { name: "More actions for Dora Dale" })).toBeNull();
  });

  it("[ORG-006] [ORG-003] are seen by every role; what others do is not offered and says whom to ask", async () => {
    workAs("viewer");
    const team = { invitations: [] };
    serve(tellTeam({ role: "viewer", rights: ["look", "read"] }, team));
    const user = show(<Team />);
    await screen.findByRole("table", { name: "Members" });
    expect(screen.queryByRole("columnheader", { name: "Second factor" })).toBeNull();
    for (const name of ["Rename", "Transfer ownership", "Delete organisation", /More actions/]) {
      expect(screen.queryByRole("button", { name })).toBeNull();
    }
    const invite = screen.getByRole("button", { name: "Invite" });
    expect([invite.getAttribute("aria-disabled"), invite.title]).toEqual(["true", SENTENCE("viewer")]);
    await user.click(invite);
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(screen.getByText(SENTENCE("viewer"))).toBeTruthy();
    expect(screen.getByRole("button", { name: "Leave Birch & Co" })).toBeTruthy();
  });
});

describe("[ORG-011] [ORG-004] inviting", () => {
  it("sends the address and the role, which is chosen by its sentence", async () => {
    workAs("owner");
    const calls = serve({ ...tellTeam(), "POST /api/organisation/invitations": () => json({}, 201) });
    const user = show(<Team />);
    await user.click(await screen.findByRole("button", { name: "Invite" }));
    const box = await dialog("Invite to Birch & Co");
    await user.type(within(box).getByLabelText("Email"), " dora@birch.com ");
    await user.click(within(box).getByRole("radio", { name: /Viewer.*Reads lists/ }));
    await user.click(within(box).getByRole("button", { name: "Send invitation" }));
    expect(await screen.findByText("Invitation sent to dora@birch.com")).toBeTruthy();
    expect(bodiesOf(calls, "POST /api/organisation/invitations")).toEqual([
      { email: "dora@birch.com", role: "viewer" },
    ]);
    expect(bodiesOf(calls, "GET /api/organisation/members").length).toBeGreaterThan(1);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("[ORG-012] says why not, and stays", async () => {
    workAs("owner");
    const refused = refusal(409, "CONFLICT", "bob@birch.com is a member already.");
    serve({ ...tellTeam(), "POST /api/organisation/invitations": () => refused });
    const user = show(<Team />);
    await user.click(await screen.findByRole("button", { name: "Invite" }));
    const box = await dialog("Invite to Birch & Co");
    await user.click(within(box).getByRole("button", { name: "Send invitation" }));
    expect(within(box).getByText("Enter an address")).toBeTruthy();
    await user.type(within(box).getByLabelText("Email"), "bob@birch.com");
    await user.click(within(box).getByRole("button", { name: "Send invitation" }));
    expect((await within(box).findByRole("alert")).textContent).toBe("bob@birch.com is a member already.");
  });

  it("[ORG-012] is sent again, and revoked after a question", async () => {
    workAs("owner");
    const path = "/api/organisation/invitations/inv_1";
    const calls = serve({
      ...tellTeam(),
      [`POST ${path}/resend`]: () => json({}),
      [`DELETE ${path}`]: done,
    });
    const user = show(<Team />);
    await user.click(await screen.findByRole("button", { name: "Resend to carol@birch.com" }));
    expect(await screen.findByText("A new link is on its way to carol@birch.com")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Revoke carol@birch.com" }));
    expect(bodiesOf(calls, `DELETE ${path}`)).toEqual([]);
    const box = await dialog("Revoke the invitation?");
    await user.click(within(box).getByRole("button", { name: "Revoke" }));
    expect(await screen.findByText("The invitation of carol@birch.com is revoked")).toBeTruthy();
    expect(bodiesOf(calls, `DELETE ${path}`)).toHaveLength(1);
  });
});

describe("[ORG-013] a member", () => {
  it("is given another role in a dialog", async () => {
    workAs("owner");
    const calls = serve({ ...tellTeam(), "PUT /api/organisation/members/2": done });
    const user = show(<Team />);
    await screen.findByRole("table", { name: "Members" });
    await choose(user, "Bob Birch", "Change role of Bob Birch");
    const box = await dialog("Role of Bob Birch");
    const change = within(box).getByRole<HTMLButtonElement>("button", { name: "Change role" });
    expect(change.disabled).toBe(true);
    await user.click(within(box).getByRole("radio", { name: /Member/ }));
    await user.click(change);
    expect(await screen.findByText("Bob Birch is now Member of Birch & Co")).toBeTruthy();
    expect(bodiesOf(calls, "PUT /api/organisation/members/2")).toEqual([{ role: "member" }]);
  });

  it("is removed after a question, which says what stays", async () => {
    workAs("owner");
    const calls = serve({ ...tellTeam(), "DELETE /api/organisation/members/2": done });
    const user = show(<Team />);
    await screen.findByRole("table", { name: "Members" });
    await choose(user, "Bob Birch", "Remove Bob Birch");
    const box = await dialog("Remove Bob Birch?");
    expect(box.textContent).toContain("Lists and API keys that they made stay.");
    expect(bodiesOf(calls, "DELETE /api/organisation/members/2")).toEqual([]);
    await user.click(within(box).getByRole("button", { name: "Remove" }));
    expect(await screen.findByText("Bob Birch no longer belongs to Birch & Co")).toBeTruthy();
    expect(bodiesOf(calls, "DELETE /api/organisation/members/2")).toHaveLength(1);
  });
});

describe("the ways out", () => {
  it("[ORG-014] are one for who is no owner: leaving, after a question", async () => {
    workAs("viewer");
    const go = vi.spyOn(navigation, "go").mockReturnValue();
    const calls = serve({ ...tellTeam({}, { invitations: [] }), "POST /api/organisation/leave": done });
    const user = show(<Team />);
    await user.click(await screen.findByRole("button", { name: "Leave Birch & Co" }));
    const box = await dialog("Leave Birch & Co?");
    expect(bodiesOf(calls, "POST /api/organisation/leave")).toEqual([]);
    await user.click(within(box).getByRole("button", { name: "Leave Birch & Co" }));
    await vi.waitFor(() => expect(go).toHaveBeenCalledExactlyOnceWith("/dashboard"));
    expect(bodiesOf(calls, "POST /api/organisation/leave")).toHaveLength(1);
  });

  it("[ORG-014] [ORG-015] do not let the last owner leave, who hands over with the password or a code", async () => {
    workAs("owner");
    const calls = serve({ ...tellTeam(), "POST /api/organisation/transfer": done });
    const user = show(<Team />);
    await user.click(await screen.findByRole("button", { name: "Transfer ownership" }));
    expect(screen.queryByRole("button", { name: "Leave Birch & Co" })).toBeNull();
    const box = await dialog("Transfer Birch & Co");
    expect(box.textContent).toContain(
      "A plan that is running stays with who pays for it until it is replaced.",
    );
    await user.click(within(box).getByRole("button", { name: "Use a code from the authenticator app" }));
    await user.type(within(box).getByLabelText("Code from the app"), "123 456 ");
    await user.click(within(box).getByRole("button", { name: "Offer ownership" }));
    await vi.waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(bodiesOf(calls, "POST /api/organisation/transfer")).toEqual([
      { member_id: 2, password: "", code: "123 456" },
    ]);
  });

  it("[ORG-034] ask for name and password, and name plan and credits, before the organisation is deleted", async () => {
    workAs("owner");
    const go = vi.spyOn(navigation, "go").mockReturnValue();
    const calls = serve({
      ...tellTeam(),
      "GET /api/subscriptions/status": () => json({ subscription_plan: "growth" }),
      "GET /api/subscriptions/plans": () => json({ packs: [] }),
      "GET /api/credits": () => json({ credits: 1200, lots: [] }),
      "GET /api/organisation/clients": () =>
        json({
          clients: [
            { id: "org_1", name: "Corner Shop", members: 0 },
            { id: "org_2", name: "Dock Works", members: 3 },
          ],
        }),
      "DELETE /api/organisation": done,
    });
    const user = show(<Team />);
    await user.click(await screen.findByRole("button", { name: "Delete organisation" }));
    const box = await dialog("Delete Birch & Co");
    await within(box).findByText(/Growth/);
    expect(box.textContent).toContain("1,200 unspent credits");
    expect(box.textContent).toContain("These clients have no members and go with it: Corner Shop.");
    await user.type(within(box).getByLabelText("Your password"), "horse");
    await user.click(within(box).getByRole("button", { name: "Delete organisation" }));
    expect(within(box).getByRole("textbox", { name: "Type Birch & Co to confirm" })).toHaveProperty(
      "ariaInvalid",
      "true",
    );
    expect(bodiesOf(calls, "DELETE /api/organisation")).toEqual([]);
    await user.type(within(box).getByRole("textbox"), "Birch & Co");
    await user.click(within(box).getByRole("button", { name: "Delete organisation" }));
    await vi.waitFor(() => expect(go).toHaveBeenCalledExactlyOnceWith("/dashboard"));
    expect(bodiesOf(calls, "DELETE /api/organisation")).toEqual([{ name: "Birch & Co", password: "horse" }]);
  });
});

describe("[ORG-015] a transfer that waits", () => {
  const transfer = { to: "Bob Birch", to_email: "bob@birch.com", expires_at: "2126-03-08T10:00:00Z" };

  it.each([
    ["Accept", "/api/organisation/transfer/accept"],
    ["Decline", "/api/organisation/transfer/decline"],
  ])("offers its receiver: %s", async (button, path) => {
    workAs("viewer");
    const reload = vi.spyOn(navigation, "reload").mockReturnValue();
    const calls = serve({
      ...tellTeam({ transfer: { ...transfer, for_you: true } }),
      [`POST ${path}`]: done,
    });
    const user = show(<Team />);
    const card = await screen.findByRole("complementary", { name: "Transfer of ownership" });
    expect(card.textContent).toContain("You are to become the owner of Birch & Co.");
    await user.click(within(card).getByRole("button", { name: button }));
    await vi.waitFor(() => expect(bodiesOf(calls, `POST ${path}`)).toHaveLength(1));
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(button === "Accept" ? 1 : 0));
  });

  it("is withdrawn by the owner, who cannot offer a second one", async () => {
    workAs("owner");
    const calls = serve({
      ...tellTeam({ transfer: { ...transfer, for_you: false } }),
      "DELETE /api/organisation/transfer": done,
    });
    const user = show(<Team />);
    const card = await screen.findByRole("complementary", { name: "Transfer of ownership" });
    expect(card.textContent).toContain("Ownership is offered to Bob Birch.");
    expect(screen.queryByRole("button", { name: "Transfer ownership" })).toBeNull();
    await user.click(within(card).getByRole("button", { name: "Withdraw" }));
    expect(await screen.findByText("The transfer is withdrawn")).toBeTruthy();
    expect(bodiesOf(calls, "DELETE /api/organisation/transfer")).toHaveLength(1);
  });
});
