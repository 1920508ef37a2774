import { isObject, type Json, type JsonObject, objectsIn, stringIn } from "../../kit/json.ts"
import { MESSAGE_CHARS, messageChars } from "../block-kit/across-blocks.ts"
import { formatIssue } from "../block-kit/issue.ts"
import { validateMessageBlocks } from "../block-kit/validate.ts"
import type { Core } from "../core.ts"
import { withIds } from "../workspace/ids.ts"
import { ApiError, invalidArguments } from "./method.ts"

/** Maximum characters of a text; Slack truncates longer ones without an error. */
const TEXT_CHARS = 40_000

/** Maximum bytes, which Slack doesn't specify; far above the 1 KB of ids a bot should keep. */
const METADATA_BYTES = 8_192

/**
 * Returns a message's text, and its blocks with every id filled in, validated as by Slack.
 * @throws ApiError `no_text`, `invalid_blocks_format`, `invalid_blocks`, `invalid_arguments` or
 * `msg_blocks_too_long`.
 */
export function checkContent(core: Core, args: JsonObject, isPrivate = false) {
  const text = (stringIn(args, "text") ?? "").slice(0, TEXT_CHARS)
  const blocks = args.blocks === undefined ? undefined : checkBlocks(core, args.blocks, isPrivate)
  const attachments = objectsIn(args.attachments)
  if (text.trim() === "" && (blocks ?? []).length === 0 && attachments.length === 0) {
    throw new ApiError("no_text")
  }
  return { text, blocks }
}

function checkBlocks(core: Core, blocks: Json, isPrivate: boolean): JsonObject[] {
  if (!Array.isArray(blocks) || !blocks.every(isObject)) throw new ApiError("invalid_blocks_format")
  const { refusals } = core.settings
  const faults = validateMessageBlocks(blocks, refusals.at({ isPrivate })).map(formatIssue)
  if (faults.length > 0) {
    if (refusals.words === "invalid_arguments") throw invalidArguments(faults)
    throw new ApiError("invalid_blocks", {
      errors: faults,
      response_metadata: { messages: faults.map((fault) => `[ERROR] ${fault}`) },
    })
  }
  if (messageChars(blocks) > MESSAGE_CHARS) throw new ApiError("msg_blocks_too_long")
  return withIds(blocks)
}

/**
 * Checks metadata.
 * @throws ApiError `invalid_metadata_format`, `invalid_metadata_schema` or `metadata_too_large`.
 */
export function checkMetadata(args: JsonObject): JsonObject | undefined {
  const metadata = args.metadata
  if (metadata === undefined) return undefined
  if (!isObject(metadata)) throw new ApiError("invalid_metadata_format")
  if (!stringIn(metadata, "event_type") || !isObject(metadata.event_payload)) {
    throw new ApiError("invalid_metadata_schema")
  }
  if (Buffer.byteLength(JSON.stringify(metadata)) > METADATA_BYTES) {
    throw new ApiError("metadata_too_large")
  }
  return metadata
}

/**
 * Form in which blocks are refused. The last two are responses of a response URL: status 400 with a
 * single word, and a gateway's page with status 200.
 */
type RefusalWords = "invalid_blocks" | "invalid_arguments" | "bare_word" | "odd_body"

/** Blocks that this workspace doesn't accept yet. */
export interface Refuse {
  /** True if it refuses charts everywhere, `private` if only in messages for one person. */
  readonly charts?: boolean | "private" | undefined
  readonly tables?: boolean | undefined
  readonly words?: RefusalWords | undefined
}

export function createRefusals({ charts, tables, words = "invalid_blocks" }: Refuse = {}) {
  return {
    words,
    /** Returns the block types that are refused. */
    at({ isPrivate }: { isPrivate: boolean }): ReadonlySet<string> {
      const isChartRefused = charts === true || (charts === "private" && isPrivate)
      return new Set([
        ...(isChartRefused ? ["data_visualization"] : []),
        ...(tables ? ["table", "data_table"] : []),
      ])
    },
  }
}
