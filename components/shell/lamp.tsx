import type { ComponentProps } from 'react';

export function Lamp(props: ComponentProps<'svg'>) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden {...props}>
      <path
        d="M12 1.5v2.6M7 5.4h10M6.8 21.5h10.4"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
        fill="none"
      />
      <path d="M7.9 7.2h8.2l1 9.4a1.4 1.4 0 0 1-1.4 1.6H8.3a1.4 1.4 0 0 1-1.4-1.6z" fill="var(--color-amber)" />
      <path d="M12 9c1.7 1.8 2.5 3 2.5 4.4a2.5 2.5 0 0 1-5 0C9.500 12 10.300 10.800 12 9z" fill="#fff6e0" />
    </svg>
  );
}
