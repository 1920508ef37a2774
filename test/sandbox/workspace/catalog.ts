import type { Manifest } from "../manifest.ts"

export interface Command {
  /** Name with its slash. */
  readonly name: string
  readonly description: string
  readonly usage: string
  /** True if Slack itself runs it, not the bot. */
  readonly builtIn: boolean
}

export type Catalog = ReturnType<typeof catalogOf>

const ofSlack = { usage: "@Docs Agent", builtIn: true }
const builtIns: readonly Command[] = [
  { name: "/invite", description: "Add the bot to this channel", ...ofSlack },
  { name: "/remove", description: "Remove the bot from this channel", ...ofSlack },
]

/** Returns the commands, shortcuts and prompts of a manifest, with Slack's own commands. */
export function catalogOf({ features }: Manifest) {
  const commands = features.slash_commands.map((entry) => ({
    name: entry.command,
    description: entry.description,
    usage: entry.usage_hint ?? "",
    builtIn: false,
  }))
  const shortcuts = (of: "message" | "global") =>
    features.shortcuts
      .filter(({ type }) => type === of)
      .map(({ name, callback_id: callbackId }) => ({ name, callbackId }))
  return {
    commands: [...commands, ...builtIns],
    messageShortcuts: shortcuts("message"),
    globalShortcuts: shortcuts("global"),
    /** Requests that an agent offers. */
    prompts: features.agent_view?.suggested_prompts ?? [],
  }
}
