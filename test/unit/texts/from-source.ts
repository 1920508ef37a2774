import { readdirSync, readFileSync } from "node:fs"

function filesIn(pattern: RegExp): string[] {
  const all = readdirSync("src", { recursive: true, encoding: "utf8" })
  return all
    .filter((file) => pattern.test(file))
    .toSorted()
    .map((file) => `src/${file}`)
}

/** What stands in quotes in TypeScript, in order; what is filled in is "…". Comments do not count. */
function literals(source: string): string[] {
  const found: string[] = []
  const token = /\/\/.*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`/g
  for (let match = token.exec(source); match; match = token.exec(source)) {
    const [text] = match
    if (text === "`") {
      const { words, end } = template(source, token.lastIndex)
      found.push(words)
      token.lastIndex = end
    } else if (!text.startsWith("/")) found.push(unquoted(text.slice(1, -1)))
  }
  return found
}

/** Up to the closing backtick, over what is filled in. */
function template(source: string, from: number): { words: string; end: number } {
  let words = ""
  for (let i = from; i < source.length; i += 1) {
    if (source[i] === "`") return { words: unquoted(words), end: i + 1 }
    if (source[i] === "\\") words += source.slice(i, ++i + 1)
    else if (source.startsWith("${", i)) {
      words += "…"
      i = closing(source, i + 2)
    } else words += source[i]
  }
  return { words, end: source.length }
}

function closing(source: string, from: number): number {
  let depth = 1
  for (let i = from; i < source.length; i += 1) {
    if (source[i] === "`") i = template(source, i + 1).end - 1
    else if (source[i] === "{") depth += 1
    else if (source[i] === "}" && --depth === 0) return i
  }
  return source.length
}

function unquoted(words: string): string {
  return words.replaceAll("\\n", "\n").replace(/\\(.)/g, "$1")
}

/** Sentences of ours in these files: three words at least, and no code. */
function sentences(pattern: RegExp, keep: (words: string) => boolean): string {
  const files = filesIn(pattern)
  if (files.length === 0) throw new Error(`No file of src is called ${pattern}: where did it go?`)
  const all = files.flatMap((file) => literals(readFileSync(file, "utf8")))
  const kept = all.filter((words) => words.trim().split(/\s+/).length > 2 && keep(words.trim()))
  return [...new Set(kept.map((words) => words.trim()))].join("\n")
}

const isSaid = (words: string) => /^[A-Z…].*[a-z]/s.test(words)

/** The messages of log lines; their facts are fields beside them. */
function logLines(): string {
  const lines = filesIn(/^(?!views|visitors|doctor|.*\.lua\.ts$).*\.ts$/).flatMap((file) => {
    const source = readFileSync(file, "utf8")
    if (!/\blog[.[]|Log\b/.test(source)) return []
    return literals(source).filter(
      (words) => /^((?!node)[a-z]|Redis|Slack|Socket|GitHub)/.test(words) && / \S+ /.test(words),
    )
  })
  return [...new Set(lines)].toSorted().join("\n")
}

/** What an operator reads, who has a terminal and a log. */
export const OPERATOR_TEXTS: Readonly<Record<string, string>> = {
  "the command line": sentences(/^command-line\.ts$/, (words) => /^[A-Z…n]/.test(words)),
  settings: sentences(/^config\/.*\.ts$/, (words) => !words.startsWith("`")),
  "the store": sentences(/^redis\/connection\/.*\.ts$/, isSaid),
  "the doctor": sentences(/^doctor\/.*\.ts$/, isSaid),
  "the log": logLines(),
}
