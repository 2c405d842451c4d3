import { Command } from "cmdk";
import { useState, type ReactNode } from "react";

import { signOut } from "../features/accounts/signin/sessions/sign-out";
import { navigation } from "../lib/session";
import { chooseTheme } from "../shell/theme";
import { Dialog } from "../ui/dialog";

const KEYS = [
  ["Search", "/"],
  ["Commands", "Ctrl K or ⌘ K"],
  ["This list", "?"],
  ["Close", "Esc"],
] as const;

function KeyList({ onClose }: { onClose: () => void }): ReactNode {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="keys">
        {KEYS.map(([what, keys]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              <kbd>{keys}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

const TABS = [
  ["validate", "Validate"],
  ["history", "History"],
  ["campaigns", "Campaigns"],
  ["pricing", "Upgrade"],
  ["analytics", "Analytics"],
  ["referrals", "Refer Friends"],
  ["custom-packages", "Custom packages"],
] as const;

const COMMANDS: readonly (readonly [string, () => void])[] = [
  ...TABS.map(([key, name]) => [`Go to ${name}`, () => navigation.go(`/dashboard?tab=${key}`)] as const),
  ["Go to Settings", () => navigation.go("/account-settings")],
  ["Theme: System", () => chooseTheme("")],
  ["Theme: Light", () => chooseTheme("light")],
  ["Theme: Dark", () => chooseTheme("dark")],
  ["Logout", () => void signOut()],
];

function CommandList({ onClose }: { onClose: () => void }): ReactNode {
  return (
    <Dialog title="Commands" onClose={onClose}>
      <Command className="palette" label="Commands">
        <Command.Input className="palette-input" placeholder="Type a command" />
        <Command.List>
          <Command.Empty>No command matches.</Command.Empty>
          {COMMANDS.map(([name, run]) => (
            <Command.Item
              key={name}
              value={name}
              onSelect={() => {
                onClose();
                run();
              }}
            >
              {name}
            </Command.Item>
          ))}
        </Command.List>
      </Command>
    </Dialog>
  );
}

/** Opened by a key: the command palette or the list of keys. */
export default function Palette({ mode }: { mode: "commands" | "keys" }): ReactNode {
  const [open, setOpen] = useState(true);
  if (!open) return null;
  const close = () => setOpen(false);
  return mode === "keys" ? <KeyList onClose={close} /> : <CommandList onClose={close} />;
}
