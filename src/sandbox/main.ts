import { HELP, readCommandLine } from "./workspace/start/command-line.ts"
import { type Sandbox, startSandbox } from "./workspace/start/start-sandbox.ts"

await main()

async function main(): Promise<void> {
  try {
    const options = readCommandLine(process.argv.slice(2))
    if (options.help) return print(HELP)
    const sandbox = await startSandbox(options, process.env)
    onSignals(sandbox)
    const mode = options.mode === "http" ? "signed HTTP requests" : "Socket Mode"
    print(`Docs Agent sandbox
  The bot runs as in production, over ${mode}; --help says what else there is.
  Its store is ${sandbox.store}.

Open ${sandbox.url}
`)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  }
}

/** The first signal ends everything in order, the second at once. */
function onSignals(sandbox: Sandbox): void {
  let stopping = false
  const handle = () => {
    if (stopping) process.exit(1)
    stopping = true
    sandbox.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`Stopping failed: ${String(error)}\n`)
        process.exit(1)
      },
    )
  }
  process.on("SIGINT", handle)
  process.on("SIGTERM", handle)
}

function print(text: string): void {
  process.stdout.write(text)
}
