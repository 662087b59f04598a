#!/bin/sh
# Packages the extension: package.sh [--offline] [FILE.vsix]. A .vsix is a zip with a manifest.
# The client library comes from npm (npm install --omit=dev); --offline leaves it out, for tests of the package itself.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
offline=
[ "${1:-}" = --offline ] && { offline=yes; shift; }
version=$(sed -n 's/^ *"version": "\(.*\)",/\1/p' "$here/package.json" | head -1)
out=${1:-noether-$version.vsix}
case $out in /*) ;; *) out=$PWD/$out ;; esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/extension"
cp "$here/package.json" "$here"/*.js "$here"/language-*.json "$here/README.md" "$here/../../LICENSE" "$work/extension/"
cp -r "$here/../textmate" "$work/extension/textmate"
[ -n "$offline" ] || (cd "$work/extension" && npm install --omit=dev --no-audit --no-fund --silent)
cat > "$work/extension.vsixmanifest" <<XML
<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="noether" Version="$version" Publisher="noether"/>
    <DisplayName>Noether</DisplayName>
    <Description xml:space="preserve">Murphi, PRISM, Promela and Boolean programs</Description>
    <Categories>Programming Languages,Linters,Formatters</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="^1.82.0"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
    <License>extension/LICENSE</License>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE" Addressable="true"/>
  </Assets>
</PackageManifest>
XML
cat > "$work/[Content_Types].xml" <<XML
<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension=".json" ContentType="application/json"/>
  <Default Extension=".js" ContentType="application/javascript"/>
  <Default Extension=".md" ContentType="text/markdown"/>
  <Default Extension=".vsixmanifest" ContentType="text/xml"/>
  <Override PartName="/extension/LICENSE" ContentType="text/plain"/>
</Types>
XML
# python3 is always there where Noether is tested; zip may not be.
python3 - "$work" "$out" <<'PYTHON'
import pathlib, sys, zipfile
root, out = map(pathlib.Path, sys.argv[1:])
with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
    for path in sorted(root.rglob("*")):
        if path.is_file():
            archive.write(path, path.relative_to(root).as_posix())
PYTHON
echo "$out"
