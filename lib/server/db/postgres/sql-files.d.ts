/** SQL file, which esbuild, Next and vitest are configured to load as text. */
declare module '*.sql' {
  const text: string;
  export default text;
}
