import { encodeQR } from 'qr';
import { useMemo } from 'react';

/** Width of the white border in modules. Scanners need four (ISO/IEC 18004); the surrounding padding adds three. */
const BORDER = 1;

export function QrCode({ text, label, className }: { text: string; label: string; className: string }) {
  const modules = useMemo(() => encodeQR(text, 'raw', { ecc: 'medium', border: BORDER }), [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${modules.length} ${modules.length}`}
      shapeRendering="crispEdges"
      className={className}
    >
      <path d={pathOf(modules)} fill="currentColor" />
    </svg>
  );
}

/** Returns an SVG path with one rectangle for each horizontal run of dark modules. */
export function pathOf(modules: readonly (readonly boolean[])[]): string {
  return modules.flatMap((row, y) => runsOf(row).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`)).join('');
}

function runsOf(row: readonly boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = [];
  row.forEach((isDark, x) => {
    const last = runs.at(-1);
    if (!isDark) return;
    if (last && last[0] + last[1] === x) last[1] += 1;
    else runs.push([x, 1]);
  });
  return runs;
}
