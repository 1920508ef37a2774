import { z } from "zod"
import type { Core } from "../core.ts"
import { addFile, fileObject } from "../workspace/files.ts"
import { newId } from "../workspace/ids.ts"
import { postMessage } from "../workspace/messages.ts"
import type { SlackFile } from "../workspace/model.ts"
import { botIsIn } from "../workspace/workspace.ts"
import { writableChannel } from "./channels.ts"
import { rootOf } from "./chat.ts"
import { ApiError, checkArguments, count, id, type Method } from "./method.ts"
import { tier4 } from "./rate-limits.ts"

/** File between files.getUploadURLExternal and files.completeUploadExternal. */
export interface Upload {
  readonly name: string
  readonly length: number
  content: Buffer | undefined
}

const announced = z.object({ filename: id, length: count })

export const filesGetUploadUrlExternal: Method = {
  scopes: ["files:write"],
  limit: tier4,
  run(core, args) {
    const { filename, length } = checkArguments(announced, args)
    const file_id = newId("F")
    core.uploads.set(file_id, { name: filename, length, content: undefined })
    return { upload_url: `${core.workspace.root.url}/upload/v1/${file_id}`, file_id }
  },
}

export const filesInfo: Method = {
  scopes: ["files:read"],
  limit: tier4,
  run(core, args) {
    const { file: fileId } = checkArguments(z.object({ file: id }), args)
    const file = readableFile(core, fileId)
    if (file === undefined) throw new ApiError("file_not_found")
    if (file.mode === "tombstone") throw new ApiError("file_deleted")
    return { file: fileObject(core.workspace, file) }
  },
}

export function readableFile({ workspace }: Core, fileId: string): SlackFile | undefined {
  const file = workspace.files.get(fileId)
  const channels = (file?.channels ?? []).flatMap((one) => workspace.channels.get(one) ?? [])
  const isOwn = file?.user === workspace.bot.userId
  return isOwn || channels.some((channel) => botIsIn(workspace, channel)) ? file : undefined
}

const completed = z.object({
  files: z.array(z.object({ id, title: z.string().optional() })).min(1),
  channel_id: id,
  thread_ts: z.string().optional(),
})

/** Shares uploaded files in a channel, which Slack doesn't demand but the bot always names. */
export const filesCompleteUploadExternal: Method = {
  scopes: ["files:write"],
  limit: tier4,
  run(core, args) {
    const { files, channel_id, thread_ts } = checkArguments(completed, args)
    const { id: channel } = writableChannel(core, channel_id)
    const stored = files.map((file) => store(core, file.id, file.title, [channel]))
    const threadTs = thread_ts ? rootOf(core, channel, thread_ts) : undefined
    const { userId: user, botId } = core.workspace.bot
    const shared = { channel, user, botId, subtype: "file_share", threadTs, text: "" }
    postMessage(core.workspace, { ...shared, files: stored })
    return { files: stored.map((file) => fileObject(core.workspace, file)) }
  },
}

function store(
  core: Core,
  fileId: string,
  title: string | undefined,
  channels: readonly string[],
): SlackFile {
  const upload = core.uploads.get(fileId)
  if (upload?.content === undefined) throw new ApiError("file_not_found")
  const { name, content } = upload
  const user = core.workspace.bot.userId
  const named = { id: fileId, name, title: title ?? name }
  const file = addFile(core.workspace, { ...named, user, content, channels })
  core.uploads.delete(fileId)
  return file
}
