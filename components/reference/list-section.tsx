import type { ReactNode } from 'react';

export function ListSection({
  id,
  title,
  note,
  children,
}: {
  id: string;
  title: string;
  note: string;
  children: ReactNode;
}) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid scroll-mt-28 grid-cols-1 gap-4 border-t border-line pt-8 lg:scroll-mt-4"
    >
      <div className="grid gap-1">
        <h2 id={`${id}-title`} className="text-xl font-semibold tracking-tight">
          {title}
        </h2>
        <p className="max-w-3xl text-dim">{note}</p>
      </div>
      {children}
    </section>
  );
}
