import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { fileURLToPath } from "node:url"

const pathOf = (...parts: string[]) =>
  join(fileURLToPath(new URL("../../", import.meta.url)), ...parts)

/** Returns the paths of all sources below `src` or `test`, relative to it. */
export function sourcesIn(folder: "src" | "test"): string[] {
  return readdirSync(pathOf(folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => file.replaceAll("\\", "/"))
}

export function readSource(folder: "src" | "test", file: string): string {
  return readFileSync(pathOf(folder, file), "utf8")
}

/** Makes the list of what a file imports: other files as paths below the folder, packages by name. */
export function importsIn(folder: "src" | "test"): (file: string) => string[] {
  const pattern = /^(?:import|export|\})(?:.* from)? "([^"]+)"$|\bimport\("([^"]+)"\)/gm
  return (file) =>
    [...readSource(folder, file).matchAll(pattern)]
      .map(([, name, later]) => name ?? later ?? "")
      .map((name) => (name.startsWith(".") ? normalize(join(dirname(file), name)) : name))
}
