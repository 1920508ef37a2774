import { parse } from "yaml"
import { z } from "zod"

const manifest = z.object({
  features: z.object({
    slash_commands: z
      .array(
        z.object({
          command: z.string(),
          description: z.string(),
          usage_hint: z.string().default(""),
        }),
      )
      .default([]),
    agent_view: z
      .object({
        suggested_prompts: z
          .array(z.object({ title: z.string(), message: z.string() }))
          .default([]),
      })
      .optional(),
    shortcuts: z
      .array(
        z.object({
          name: z.string(),
          type: z.enum(["message", "global"]),
          callback_id: z.string(),
        }),
      )
      .default([]),
  }),
})

export interface Command {
  /** Name with its slash. */
  readonly name: string
  readonly description: string
  readonly usage: string
  /** True if Slack itself runs it, not the bot. */
  readonly builtIn: boolean
}

export type Catalog = ReturnType<typeof readCatalog>

const ofSlack = { usage: "@Docs Agent", builtIn: true }
const builtIns: readonly Command[] = [
  { name: "/invite", description: "Add the bot to this channel", ...ofSlack },
  { name: "/remove", description: "Remove the bot from this channel", ...ofSlack },
]

/**
 * Returns the commands, message shortcuts and prompts of a manifest, along with Slack's own commands.
 * @throws Error if the manifest isn't YAML or lacks a field.
 */
export function readCatalog(text: string) {
  const { features } = manifest.parse(parse(text))
  const commands = features.slash_commands.map((entry) => ({
    name: entry.command,
    description: entry.description,
    usage: entry.usage_hint,
    builtIn: false,
  }))
  const messageShortcuts = features.shortcuts
    .filter(({ type }) => type === "message")
    .map(({ name, callback_id: callbackId }) => ({ name, callbackId }))
  return {
    commands: [...commands, ...builtIns],
    messageShortcuts,
    /** Requests that an agent offers. */
    prompts: features.agent_view?.suggested_prompts ?? [],
  }
}
