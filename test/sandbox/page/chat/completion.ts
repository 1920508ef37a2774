import type { Command } from "../../workspace/catalog.ts"
import type { Model } from "../model/model.ts"

export interface Suggestion {
  readonly key: string
  /** Text that replaces the typed beginning. */
  readonly insert: string
  readonly title: string
  readonly detail: string
}

/** Returns completions of the text before the caret: commands or people. */
export function complete(text: string, caret: number, model: Pick<Model, "catalog" | "users">) {
  const typed = text.slice(0, caret)
  if (/^\/[\w-]*$/.test(typed)) return found(0, commandsLike(typed, model.catalog.commands))
  const word = /(?:^|\s)(@[\w-]*(?: [\w-]*)?)$/.exec(typed)?.[1]
  if (word === undefined) return undefined
  return found(caret - word.length, peopleLike(word, model))
}

export function commandIn(text: string, commands: readonly Command[]): Command | undefined {
  const name = /^(\/[\w-]+)\s/.exec(text)?.[1]
  return commands.find((command) => command.name === name)
}

function found(from: number, suggestions: readonly Suggestion[]) {
  return suggestions.length > 0 ? { from, suggestions } : undefined
}

function commandsLike(typed: string, commands: readonly Command[]): Suggestion[] {
  return commands
    .filter((command) => command.name.startsWith(typed))
    .map(({ name, usage, description }) => ({
      key: name,
      insert: `${name} `,
      title: `${name} ${usage}`.trim(),
      detail: description,
    }))
}

/** Suggests people, starting with the bot, which is why people type an @ here. */
function peopleLike(typed: string, { users }: Pick<Model, "users">): Suggestion[] {
  const start = typed.slice(1).toLowerCase()
  const named = [...users.values()].map((user) => ({
    ...user,
    names: [user.name, user.realName.toLowerCase()],
  }))
  // A complete name needs no suggestion: Enter sends the line.
  if (named.some(({ names }) => names.includes(start))) return []
  return named
    .filter(({ names }) => names.some((name) => name.startsWith(start)))
    .map(({ id, name, realName, role }) => ({
      key: id,
      insert: `@${realName} `,
      title: `@${realName}`,
      detail: role === "bot" ? "app" : `@${name}`,
    }))
}
