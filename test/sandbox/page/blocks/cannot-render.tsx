import type { ComponentChildren } from "preact"
import { useErrorBoundary } from "preact/hooks"

/** Names a block that this page can't render, so that nobody takes the message for empty. */
export function CannotRender({ what }: { what: string }) {
  return (
    <p class="cannot-render">
      Can't render <code>{what || "a block without a type"}</code>
    </p>
  )
}

/** Replaces blocks that fail to render with the error; everything else stays. */
export function Guarded({ children }: { children: ComponentChildren }) {
  const [error] = useErrorBoundary()
  if (error === undefined) return <>{children}</>
  return <CannotRender what={error instanceof Error ? error.message : String(error)} />
}
