import type { ComponentChildren } from "preact"
import { useErrorBoundary } from "preact/hooks"

/** Says loudly what this page does not know, so that nobody takes its silence for an empty message. */
export function CannotRender({ what }: { what: string }) {
  return (
    <p class="cannot-render">
      cannot render <code>{what || "a block without a type"}</code>
    </p>
  )
}

/** Blocks that break this page's rendering are named in their place; everything else stays. */
export function Guarded({ children }: { children: ComponentChildren }) {
  const [error] = useErrorBoundary()
  if (error === undefined) return <>{children}</>
  return <CannotRender what={error instanceof Error ? error.message : String(error)} />
}
