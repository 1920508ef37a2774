import type { WireFile } from "../../workspace/to-wire.ts"
import { Icon } from "../shell/icon.tsx"

export function FileCard({ file }: { file: WireFile }) {
  const kind = file.name.includes(".") ? (file.name.split(".").at(-1) ?? "") : "file"
  return (
    <a class="file-card" href={file.url} download={file.name}>
      <span class="file-kind" aria-hidden="true">
        {kind.slice(0, 4)}
      </span>
      <span class="file-name">
        <strong>{file.title || file.name}</strong>
        <small>
          {[file.title === file.name ? "" : file.name, sizeWords(file.size)]
            .filter(Boolean)
            .join(", ")}
        </small>
      </span>
      <Icon name="download" />
      <span class="hidden">Download</span>
    </a>
  )
}

function sizeWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  const units = ["KB", "MB", "GB"]
  const power = Math.min(units.length, Math.floor(Math.log(bytes) / Math.log(1024)))
  return `${(bytes / 1024 ** power).toFixed(1)} ${units[power - 1]}`
}
