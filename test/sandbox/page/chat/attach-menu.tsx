import { useRef } from "preact/hooks"
import { act } from "../model/api.ts"
import { usePage } from "../model/model.ts"
import { Menu, MenuItem } from "../shell/menu.tsx"

export interface Attached {
  readonly name: string
  readonly content: string
}

/** Renders the menu beside the message box: files to attach, and the app's global shortcuts. */
export function AttachMenu({ onAttach }: { onAttach: (files: readonly Attached[]) => void }) {
  const { model, view, attempt } = usePage()
  const input = useRef<HTMLInputElement>(null)

  async function read(box: HTMLInputElement): Promise<void> {
    const files = [...(box.files ?? [])]
    onAttach(
      await Promise.all(files.map(async (one) => ({ name: one.name, content: await one.text() }))),
    )
    box.value = ""
  }

  return (
    <>
      <input
        ref={input}
        type="file"
        class="hidden"
        tabIndex={-1}
        aria-label="Files to attach"
        multiple
        onChange={({ currentTarget }) => void read(currentTarget)}
      />
      <Menu label="Attach or run a shortcut" icon="plus">
        <MenuItem onPick={() => input.current?.click()}>Attach a file</MenuItem>
        {model.catalog.globalShortcuts.map(({ name, callbackId: callback }) => (
          <MenuItem
            key={callback}
            onPick={() => void attempt(act("global-shortcut", { as: view.me, callback }))}
          >
            {name}
            <small>Docs Agent</small>
          </MenuItem>
        ))}
      </Menu>
    </>
  )
}
