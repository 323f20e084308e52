/** What the head of a table says on wide screens, beside a cell that stands alone on a phone. */
export function CellName({ children }: { children: string }) {
  return (
    <span aria-hidden className="font-sans text-xs text-faint sm:hidden">
      {children}
    </span>
  );
}
