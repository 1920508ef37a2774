import { z } from "zod"
import type { FileFacts } from "../ports/files.ts"
import { defined } from "../runtime/defined.ts"
import { truncate } from "../text/truncate.ts"

/** Slack lets a person attach ten at once; nobody reads the names of so many. */
const MOST_FILES = 50
/** As file systems have it. Code points. */
const LONGEST_NAME = 255

/** Slack tells only the id of a deleted file, and hardly more about one in Slack Connect. */
const file = z.object({
  id: z.string().min(1),
  name: z.string().nullish(),
  mimetype: z.string().nullish(),
  size: z.number().nonnegative().nullish(),
  mode: z.string().nullish(),
})

/** A file as Slack shows it anywhere; undefined for what is none. */
export function fileFacts(shown: unknown): FileFacts | undefined {
  const parsed = file.safeParse(shown)
  if (!parsed.success) return undefined
  const { id, name, mimetype, size, mode } = parsed.data
  return {
    id,
    ...defined({ name: short(name), type: short(mimetype), state: stateOf(mode) }),
    // Without a name Slack tells nothing of the file: what it gives as its size is not one.
    ...(name && typeof size === "number" ? { size } : {}),
  }
}

function short(text: string | null | undefined): string | undefined {
  return text ? truncate(text, LONGEST_NAME) : undefined
}

function stateOf(mode: string | null | undefined): FileFacts["state"] {
  if (mode === "tombstone") return "deleted"
  return mode === "hidden_by_limit" ? "hidden" : undefined
}

/** The files of a message, and those of the messages that it passes on. */
export function filesOf({
  files,
  attachments,
}: {
  files?: unknown
  attachments?: unknown
}): FileFacts[] {
  const passedOn = list(attachments).flatMap((one) => (hasFiles(one) ? list(one.files) : []))
  const found = [...list(files), ...passedOn].flatMap((one) => fileFacts(one) ?? [])
  const byId = new Map(found.map((one) => [one.id, one]))
  return [...byId.values()].slice(0, MOST_FILES)
}

function hasFiles(value: unknown): value is { files: unknown } {
  return typeof value === "object" && value !== null && "files" in value
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
