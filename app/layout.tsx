import "./globals.css";
import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import type { Metadata, Viewport } from "next";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { readerZone, theme } from "@/components/layout/preferences";
import { ReaderProvider } from "@/components/ui/reader";

export const metadata: Metadata = {
  title: { default: "Sealwatch", template: "%s · Sealwatch" },
  icons: { icon: "/icon.svg" },
  robots: { index: false },
};

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#fbfbfa" },
    { media: "(prefers-color-scheme: dark)", color: "#101211" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const jar = await cookies();
  return (
    <html
      lang="en"
      data-theme={theme(jar) ?? undefined}
      className={`${GeistSans.variable} ${GeistMono.variable}`}
      // The theme menu changes the attribute without reloading the page.
      suppressHydrationWarning
    >
      <body className="font-sans">
        <ReaderProvider timeZone={readerZone(jar)} now={Date.now()}>
          {children}
        </ReaderProvider>
      </body>
    </html>
  );
}
