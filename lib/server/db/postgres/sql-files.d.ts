/** SQL file. esbuild, Next and vitest load it as text. */
declare module '*.sql' {
  const text: string;
  export default text;
}
