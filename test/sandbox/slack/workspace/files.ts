import type { JsonObject } from "../../kit/json.ts"
import { newId } from "./ids.ts"
import type { SlackFile } from "./model.ts"
import type { Workspace } from "./workspace.ts"

/** File that a person shares; omitted fields get Slack's own values. */
export type NewFile = Pick<SlackFile, "name" | "user" | "channels"> &
  Partial<Omit<SlackFile, "content">> & { readonly content: string | Buffer }

export function addFile(workspace: Workspace, file: NewFile): SlackFile {
  const content = Buffer.from(file.content)
  const added: SlackFile = {
    id: newId("F"),
    title: file.name,
    mimetype: mimetypeOf(file.name),
    subtype: undefined,
    size: content.length,
    mode: "hosted",
    isForeign: false,
    externalUrl: undefined,
    ...file,
    content,
  }
  workspace.files.set(added.id, added)
  return added
}

/** Deletes a file: every message that contains it shows a tombstone from now on. */
export function deleteFile(workspace: Workspace, id: string): void {
  const file = workspace.files.get(id)
  if (file === undefined) throw new Error(`The local Slack has no file ${id}`)
  file.mode = "tombstone"
  file.content = Buffer.alloc(0)
}

export function fileObject(workspace: Workspace, file: SlackFile): JsonObject {
  // Only the id of a deleted file is left.
  if (file.mode === "tombstone") return { id: file.id, mode: "tombstone" }
  const address = `${workspace.root.url}/files-pri/${workspace.team.id}-${file.id}`
  const name = encodeURIComponent(file.name)
  const isExternal = file.mode === "external"
  return {
    id: file.id,
    name: file.name,
    title: file.title,
    user: file.user,
    mimetype: file.mimetype,
    filetype: extensionOf(file.name) || "text",
    mode: file.mode,
    ...(file.subtype === undefined ? {} : { subtype: file.subtype }),
    size: file.size,
    channels: [...file.channels],
    is_external: isExternal,
    file_access: "visible",
    url_private: file.externalUrl ?? `${address}/${name}`,
    ...(isExternal ? {} : { url_private_download: `${address}/download/${name}` }),
  }
}

/**
 * Returns a file as an event shows it. Slack Connect: "It is only when file events are pushed to
 * your app that you will need an additional API call to view a file's properties."
 */
export function pushedFileObject(workspace: Workspace, file: SlackFile): JsonObject {
  if (!file.isForeign) return fileObject(workspace, file)
  const access = { mode: "file_access", file_access: "check_file_info" }
  return { id: file.id, created: 0, timestamp: 0, user: "", ...access }
}

const MIMETYPES: Readonly<Record<string, string>> = {
  csv: "text/csv",
  diff: "text/x-diff",
  html: "text/html",
  jpg: "image/jpeg",
  json: "application/json",
  log: "text/plain",
  md: "text/markdown",
  pdf: "application/pdf",
  png: "image/png",
  txt: "text/plain",
  yaml: "text/yaml",
  yml: "text/yaml",
  zip: "application/zip",
}

function mimetypeOf(name: string): string {
  return MIMETYPES[extensionOf(name)] ?? "application/octet-stream"
}

function extensionOf(name: string): string {
  return name.includes(".") ? (name.split(".").at(-1) ?? "").toLowerCase() : ""
}
