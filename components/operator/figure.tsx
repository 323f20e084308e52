export function Figure({ name, note, children }: { name: string; note: string; children: string }) {
  return (
    <div className="grid min-w-0 content-start gap-0.5">
      <p className="text-sm text-dim">{name}</p>
      <p className="figures truncate text-2xl font-semibold tracking-tight">{children}</p>
      <p className="text-xs text-dim">{note}</p>
    </div>
  );
}
