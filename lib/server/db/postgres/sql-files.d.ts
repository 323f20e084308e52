/** A file of SQL as text: esbuild, Next and vitest are told so in their configurations. */
declare module '*.sql' {
  const text: string;
  export default text;
}
