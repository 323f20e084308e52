import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { cn } from './class-names';

const badgeStyle = cva(
  'inline-flex h-5 shrink-0 items-center gap-1 rounded-sm border px-1.5 text-xs whitespace-nowrap [&_svg]:size-3',
  {
    variants: {
      tone: {
        neutral: 'border-line bg-surface text-dim',
        amber: 'border-amber-line bg-amber-soft text-amber-ink',
        good: 'border-transparent bg-good-soft text-good',
        bad: 'border-transparent bg-bad-soft text-bad',
        /** Reserved for encrypted content. */
        violet: 'border-violet-line bg-violet-soft text-violet',
      },
    },
    defaultVariants: { tone: 'neutral' },
  },
);

/** Colored label. The color repeats the label's meaning. */
export function Badge({ className, tone, ...props }: ComponentProps<'span'> & VariantProps<typeof badgeStyle>) {
  return <span className={cn(badgeStyle({ tone }), className)} {...props} />;
}
