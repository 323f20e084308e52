import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { cn } from './class-names';
import { HeldButton } from './held-button';
import { Slot } from './slot';

const buttonStyle = cva(
  'relative inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap transition-colors select-none disabled:pointer-events-none disabled:opacity-50 aria-disabled:cursor-default aria-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0',
  {
    variants: {
      tone: {
        primary:
          'bg-amber text-amber-on hover:bg-amber-hover disabled:bg-hover disabled:text-faint disabled:opacity-100 disabled:inset-ring disabled:inset-ring-line aria-disabled:bg-hover aria-disabled:text-faint aria-disabled:opacity-100 aria-disabled:inset-ring aria-disabled:inset-ring-line',
        outline: 'border border-edge bg-ground text-ink hover:bg-hover',
        quiet: 'text-dim hover:bg-hover hover:text-ink aria-expanded:bg-hover aria-expanded:text-ink',
        link: 'text-amber-ink underline-offset-4 hover:underline',
      },
      size: {
        md: 'h-8 px-3 text-sm pointer-coarse:h-10',
        sm: 'h-7 px-2 text-xs pointer-coarse:h-10',
        icon: 'size-8 pointer-coarse:size-10',
        iconSm: 'size-7 pointer-coarse:size-10',
        inline: 'h-auto p-0 text-[length:inherit]',
      },
    },
    defaultVariants: { tone: 'outline', size: 'md' },
  },
);

interface ButtonProps extends ComponentProps<'button'>, VariantProps<typeof buttonStyle> {
  asChild?: boolean;
}

/** Only a page's primary action is amber. A focused button that becomes disabled keeps focus. */
export function Button({ className, tone, size, asChild = false, type = 'button', ...props }: ButtonProps) {
  const classes = cn(buttonStyle({ tone, size }), className);
  return asChild ? <Slot className={classes} {...props} /> : <HeldButton className={classes} type={type} {...props} />;
}
