import { newId } from "../workspace/ids.ts"

/** File between files.getUploadURLExternal and files.completeUploadExternal. */
interface Upload {
  readonly fileId: string
  readonly name: string
  readonly length: number
  content: Buffer | undefined
}

export interface Uploads {
  begin(name: string, length: number): { readonly token: string; readonly upload: Upload }
  byToken(token: string): Upload | undefined
  byFile(fileId: string): Upload | undefined
  finish(fileId: string): void
}

export function createUploads(): Uploads {
  const open = new Map<string, Upload>()
  const byFile = (fileId: string) => [...open].find(([, upload]) => upload.fileId === fileId)
  return {
    begin(name, length) {
      const token = newId("", 24)
      const upload: Upload = { fileId: newId("F"), name, length, content: undefined }
      open.set(token, upload)
      return { token, upload }
    },
    byToken: (token) => open.get(token),
    byFile: (fileId) => byFile(fileId)?.[1],
    finish(fileId) {
      const entry = byFile(fileId)
      if (entry !== undefined) open.delete(entry[0])
    },
  }
}
