import type { ComponentChildren } from "preact"
import { useErrorBoundary } from "preact/hooks"
import { CannotRender } from "./cannot-render.tsx"

/** Blocks that break this page's rendering are named in their place; everything else stays. */
export function Guarded({ children }: { children: ComponentChildren }) {
  const [error] = useErrorBoundary()
  if (error === undefined) return <>{children}</>
  return <CannotRender what={error instanceof Error ? error.message : String(error)} />
}
