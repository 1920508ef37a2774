import { Icon } from "../shell/icon.tsx"

export interface Attached {
  readonly name: string
  readonly content: string
}

export function AttachFiles({ onAttach }: { onAttach: (files: readonly Attached[]) => void }) {
  async function read(box: HTMLInputElement): Promise<void> {
    const files = [...(box.files ?? [])]
    onAttach(
      await Promise.all(files.map(async (one) => ({ name: one.name, content: await one.text() }))),
    )
    box.value = ""
  }

  return (
    <label class="icon-button attach" title="Attach files">
      <Icon name="plus" />
      <input
        type="file"
        class="hidden"
        aria-label="Attach files"
        multiple
        onChange={({ currentTarget }) => void read(currentTarget)}
      />
    </label>
  )
}
