import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';
import { showFirst } from './focus.ts';

declare module '@mantine/core' {
  interface MantineThemeColorsOverride {
    /** What `color` may be: those of ours, and red, which the library itself takes. Others have no variables (tools/theme-variables.ts). */
    colors: Record<
      'jade' | 'cinnabar' | 'amber' | 'indigo' | 'gray' | 'dark' | 'red' | 'currentColor',
      MantineColorsTuple
    >;
  }
}

/*
 * 纸墨: paper and ink. Shade 6 is the colour itself, 0 its softest ground, 4 its text on dark paper. The tokens that
 * our own CSS uses (--paper, --ink, --jade …) stand in base.css; these tuples give the component library the same hues.
 */
const jade: MantineColorsTuple = [
  '#EAF4F0',
  '#CFE7DE',
  '#A3D2C1',
  '#72BCA3',
  '#4CC29C',
  '#1E9C77',
  '#0B7A5B',
  '#096A4F',
  '#075942',
  '#054534',
];
// Pure cinnabar under white text has a contrast of 4.43; one step darker passes AA.
const cinnabar: MantineColorsTuple = [
  '#FBEDE9',
  '#F6D5CC',
  '#EFB0A1',
  '#EC9583',
  '#F0806A',
  '#DF5C44',
  '#C73E25',
  '#B0351F',
  '#912B19',
  '#702113',
];
const amber: MantineColorsTuple = [
  '#FAF2E3',
  '#F2E0BC',
  '#E9CB8F',
  '#E3B86B',
  '#E0AA55',
  '#C98C33',
  '#8A5A12',
  '#7A4F0F',
  '#6F480D',
  '#553709',
];
const indigo: MantineColorsTuple = [
  '#ECF0FA',
  '#D5DDF4',
  '#B0BFEA',
  '#9DB0EE',
  '#93A9EE',
  '#5F7BD3',
  '#3B5BBF',
  '#3350AB',
  '#29418C',
  '#20336D',
];
const gray: MantineColorsTuple = [
  '#F6F4EF',
  '#F0EDE6',
  '#E7E4DC',
  '#DDD9CF',
  '#CFCABF',
  '#69707C',
  '#5B6472',
  '#4A525E',
  '#343C47',
  '#1C2430',
];
const dark: MantineColorsTuple = [
  '#E8E6E1',
  '#C9CACA',
  '#9DA6B2',
  '#8A93A0',
  '#3A424C',
  '#2C333B',
  '#222830',
  '#1B2026',
  '#14181D',
  '#0E1115',
];

/** The component library dressed in our tokens. */
export const theme = createTheme({
  colors: { jade, cinnabar, amber, indigo, gray, dark },
  primaryColor: 'jade',
  primaryShade: 6,
  black: '#1C2430',
  fontFamily: '"PingFang SC","Hiragino Sans GB","Microsoft YaHei","Noto Sans CJK SC",system-ui,sans-serif',
  headings: {
    fontFamily: '"PingFang SC","Hiragino Sans GB","Microsoft YaHei","Noto Sans CJK SC",system-ui,sans-serif',
    fontWeight: '600',
  },
  fontSizes: { xs: '12px', sm: '14px', md: '16px', lg: '18px', xl: '20px' },
  lineHeights: { xs: '1.5', sm: '1.5', md: '1.5', lg: '1.5', xl: '1.5' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '10px', xl: '16px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  defaultRadius: 'md',
  shadows: { md: 'var(--float)', sm: 'var(--float)', lg: 'var(--float)', xl: 'var(--float)' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'sm' } },
    Modal: {
      defaultProps: {
        onFocus: showFirst,
        centered: true,
        radius: 'lg',
        padding: 24,
        transitionProps: { transition: 'fade', duration: 150 },
        overlayProps: { backgroundOpacity: 0.45, color: '#14181D' },
      },
    },
    Menu: { defaultProps: { shadow: 'md', radius: 'lg', position: 'bottom-end', transitionProps: { duration: 120 } } },
    Skeleton: { defaultProps: { radius: 'sm' } },
  },
});

const hues = ['jade', 'cinnabar', 'amber', 'indigo'];

/** Points the library's colours at our tokens (base.css), which know light from dark. */
export const variables: CSSVariablesResolver = () => {
  const both = {
    '--mantine-color-body': 'var(--card)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--ink-2)',
    '--mantine-color-placeholder': 'var(--ink-3)',
    '--mantine-color-anchor': 'var(--jade-text)',
    '--mantine-color-error': 'var(--cinnabar-text)',
    '--mantine-color-default-border': 'var(--rim)',
    '--mantine-color-gray-light-color': 'var(--ink-2)',
    '--mantine-color-gray-light-hover': 'var(--sunken)',
    ...Object.fromEntries(
      hues.flatMap((hue) => [
        [`--mantine-color-${hue}-text`, `var(--${hue}-text)`],
        [`--mantine-color-${hue}-light`, `var(--${hue}-soft)`],
        [`--mantine-color-${hue}-light-hover`, `var(--${hue}-soft)`],
        [`--mantine-color-${hue}-light-color`, `var(--${hue}-text)`],
        [`--mantine-color-${hue}-outline`, `var(--${hue}-text)`],
      ]),
    ),
  };
  return { variables: {}, light: both, dark: both };
};
