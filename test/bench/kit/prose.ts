import { readdirSync, readFileSync } from "node:fs"

const ROOT = new URL("../../../", import.meta.url)

/** Prompts in English of which no two are alike, from the project's own words: sameness would compress to nothing. */
export function prose(count: number, length = 210): string[] {
  const words = `${documents()} ${comments()}`.split(/\s+/).join(" ")
  if (words.length < count * length) throw new Error("The documents are too short for that")
  return Array.from({ length: count }, (_, n) => words.slice(n * length, (n + 1) * length).trim())
}

function documents(): string {
  const guides = readdirSync(new URL(".github/", ROOT)).filter((name) => name.endsWith(".md"))
  const names = ["README.md", "CHANGELOG.md", ...guides.map((name) => `.github/${name}`)]
  const text = names.map((name) => readFileSync(new URL(name, ROOT), "utf8")).join(" ")
  // Neither tables nor code: people type sentences.
  return text.replace(/```[\s\S]*?```|^\|.*$/gm, " ").replace(/[#*`<>[\]]|\(http\S+/g, "")
}

function comments(): string {
  const names = readdirSync(new URL("src/", ROOT), { recursive: true, encoding: "utf8" })
  const code = names
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(new URL(`src/${name}`, ROOT), "utf8"))
  const lines = code.join("\n").matchAll(/^\s*(?:\/\*\*|\*|\/\/) (.*?)(?: \*\/)?$/gm)
  return [...lines].map(([, line]) => line).join(" ")
}
