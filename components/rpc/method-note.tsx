import type { ReactNode } from 'react';

export function MethodNote({ children }: { children: ReactNode }) {
  return <p className="shrink-0 border-b border-line px-3 py-3 text-sm text-dim lg:px-4">{children}</p>;
}
