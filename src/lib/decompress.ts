import { promisify } from "node:util"
import { brotliDecompress, gunzip, inflate, type ZlibOptions } from "node:zlib"

/** Decompression that a gateway may add although the bot asks for none. */
const DECODERS: Readonly<Record<string, (bytes: Buffer, limits: ZlibOptions) => Promise<Buffer>>> =
  {
    gzip: promisify<Buffer, ZlibOptions, Buffer>(gunzip),
    "x-gzip": promisify<Buffer, ZlibOptions, Buffer>(gunzip),
    deflate: promisify<Buffer, ZlibOptions, Buffer>(inflate),
    br: promisify<Buffer, ZlibOptions, Buffer>(brotliDecompress),
  }

/** Asks for answers as they are: a server may pack them for whoever does not (RFC 9110, 12.5.3). */
export const UNPACKED = { "accept-encoding": "identity" } as const

/**
 * Decodes a body as far as its encoding is known. One that isn't what its header says, or is larger
 * than `maxBytes`, stays as it came: its status still counts.
 */
export async function decompressed(
  bytes: Buffer,
  encoding: string | string[] | undefined,
  maxBytes: number,
): Promise<Buffer> {
  const decode = DECODERS[String(encoding).trim().toLowerCase()]
  const plain = await decode?.(bytes, { maxOutputLength: maxBytes }).catch(() => undefined)
  return plain ?? bytes
}
