import type { WireFile } from "../../workspace/to-wire.ts"
import { Icon } from "../shell/icon.tsx"

export function FileCard({ file }: { file: WireFile }) {
  return (
    <a class="file-card" href={file.url} download={file.name}>
      <Icon name="download" />
      <span class="hidden">Download</span>
      <span class="file-name">
        <strong>{file.title}</strong>
        <small>{file.name}</small>
      </span>
    </a>
  )
}
