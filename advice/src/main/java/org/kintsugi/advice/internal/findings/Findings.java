// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.findings;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.kintsugi.advice.internal.code.Allocation;
import org.kintsugi.advice.internal.code.Loop;
import org.kintsugi.advice.internal.code.Program;
import org.kintsugi.advice.internal.code.Uses;
import org.kintsugi.advice.internal.code.Variable;
import org.kintsugi.advice.internal.objects.Opaque;
import org.kintsugi.advice.internal.protection.Item;
import org.kintsugi.advice.internal.protection.Items;
import org.kintsugi.advice.internal.shadow.Cells;
import org.kintsugi.advice.internal.shadow.FilePath;
import org.kintsugi.advice.internal.shadow.LocalFrame;
import org.kintsugi.advice.internal.shadow.Shadow;
import org.kintsugi.advice.internal.shadow.Shadows;
import org.kintsugi.mpi.Buf;
import org.kintsugi.runtime.internal.advice.Finding;
import org.kintsugi.runtime.internal.advice.Finding.Verdict;

/** Brings the locations with values of earlier iterations together, by their definitions. */
final class Findings {
  private final Map<String, Group> contents = new LinkedHashMap<>();
  private final Map<Variable, Group> variables = new LinkedHashMap<>();
  private final List<Finding> found = new ArrayList<>();
  private final Set<String> leftOut = new HashSet<>();
  private final List<Long> firstReads = new ArrayList<>();
  /** Whether a version was saved after the last iteration, so that the code after the loop may need it. */
  private final boolean isSavedAtEnd = !Loop.isIterated() && Items.lastSave() >= Loop.now - 1;

  /** All findings. */
  List<Finding> all() {
    Cells.endTurn();
    Items.end();
    for (Shadow shadow : Shadows.allFound()) {
      shadow.end(Loop.now, Loop.isIterated());
      gather(shadow);
    }
    for (Opaque opaque : Opaque.all()) {
      if (opaque.isCarried(true)) {
        add(opaque);
      }
    }
    contents.values().forEach(this::mergeReference);
    contents.values().forEach(group -> add(group, variables.get(group.variable)));
    variables.values().forEach(group -> add(group, null));
    Items.twice().forEach(this::addTwice);
    for (Item item : Items.all()) {
      found.add(new Finding(verdict(item), item.name, "", "", List.of(), List.of(Program.place(item.place).toString()), "",
          item.bytes(), "", String.join(", ", item.needs())));
    }
    return found;
  }

  private Verdict verdict(Item item) {
    if (item.isLeftOut()) {
      return Verdict.LEFT_OUT;
    }
    // The variable has other arrays in turn, which the item does not save.
    boolean isPartly = contents.values().stream().anyMatch(group -> item.needs().contains(group.name));
    return isPartly ? Verdict.PARTLY : item.isNeeded() ? Verdict.PROTECTED : Verdict.SUPERFLUOUS;
  }

  /** Whether an iteration reads what the loop has changed: an item is needed for it, even if the value is the first one. */
  private static boolean isRead(Shadow shadow, int index) {
    int flags = shadow.flags(index);
    return (flags & Shadow.READ) != 0 && (flags & Shadow.VARIED) != 0;
  }

  private static boolean isCarried(Shadow shadow, int index) {
    int flags = shadow.flags(index);
    return (flags & (Shadow.CARRIED | Shadow.AFTER)) != 0 && (flags & Shadow.VARIED) != 0;
  }

  /** Whether only the code after the loop reads it, and no version was saved after the last iteration. */
  private boolean isLast(Shadow shadow, int index) {
    return (shadow.flags(index) & Shadow.CARRIED) == 0 && !isSavedAtEnd;
  }

  /** Whether items save the location; then they are needed. @param name of the variable; null: it is found for arrays */
  private boolean isCovered(Shadow shadow, int index, String name) {
    return isCovered(shadow, shadow.covers(index), name);
  }

  /** Whether items save an element of an array or buffer; then they are needed. */
  private boolean isElementCovered(Shadow shadow, int index) {
    return isCovered(shadow, shadow.coversOfElement(index), null);
  }

  private boolean isCovered(Shadow shadow, Set<Object> covers, String name) {
    boolean isCovered = false;
    for (Object one : covers) {
      Item item = (Item) one;
      String of = name == null ? title(shadow, shadow.type) : name;
      if (item.isLeftOut()) {
        leftOut.add(of);
      } else {
        isCovered = true;
        item.need(of);
      }
    }
    return isCovered;
  }

  /** The first iterations that have read the locations which are missing. */
  List<Long> firstReads() {
    return firstReads;
  }

  private void found(Finding finding, Uses uses) {
    found.add(finding);
    if (finding.verdict() == Verdict.MISSING || finding.verdict() == Verdict.STATE) {
      firstReads.add(uses.firstRead());
    }
  }

  /** The names of the locations that left-out items save: their values are there again after a restore. */
  Set<String> leftOut() {
    return leftOut;
  }

  private void gather(Shadow shadow) {
    if (shadow.type == FilePath.class || ThreadLocal.class.isAssignableFrom(shadow.type)) {
      if (isRead(shadow, 0) && !isCovered(shadow, 0, null)) {
        addState(shadow);
      }
      return;
    }
    boolean isOfVariables = shadow.type == Variable.class || shadow.type == LocalFrame.class;
    Group group = null;
    for (int i = 0; i < shadow.length(); i++) {
      if (isRead(shadow, i)) {
        Variable variable = shadow.variable(i);
        if (isOfVariables || variable != null) {
          if (variable != null && !isCovered(shadow, i, variable.title()) && isCarried(shadow, i)) {
            variables.computeIfAbsent(variable, one -> new Group(one, one.title(), null, one.definition())).add(shadow, i,
                isLast(shadow, i));
            variables.get(variable).addLocation(Items.bytes(variable.descriptor));
          }
        } else if (!isElementCovered(shadow, i) && isCarried(shadow, i)) {
          group = group == null ? group(shadow, shadow.type.isArray() ? shadow.type : Buf.class) : group;
          group.add(shadow, i, isLast(shadow, i));
        }
      }
    }
    if (group != null) {
      group.addArray(shadow);
    }
  }

  /** That of an array or an object of the JDK, by the name of the variable that it is in. */
  private Group group(Shadow shadow, Class<?> type) {
    Shadow.Name first = name(shadow);
    Allocation made = shadow.allocation();
    String place = made == null ? "" : made.place().file() + ":" + made.place().line();
    String title = title(shadow, type);
    Variable variable = first == null ? null : first.variable();
    String definition = place.isEmpty() && variable != null ? variable.definition() : place;
    Group group = contents.computeIfAbsent(title + type.getName(), key -> new Group(variable, title, type, definition));
    shadow.names().forEach(name -> group.otherNames.add(name.variable().title() + "[]".repeat(name.indices())));
    group.otherNames.remove(title);
    return group;
  }

  /** The variable in which the program reads it; a field rather than a local variable. */
  private static Shadow.Name name(Shadow shadow) {
    List<Shadow.Name> names = new ArrayList<>(shadow.readNames());
    names.addAll(shadow.names());
    return names.stream().filter(name -> name.variable().kind != Variable.Kind.LOCAL).findFirst()
        .orElse(names.isEmpty() ? null : names.get(0));
  }

  static String title(Shadow shadow, Class<?> type) {
    Shadow.Name first = name(shadow);
    Allocation made = shadow.allocation();
    return first != null ? first.variable().title() + "[]".repeat(first.indices())
        : made != null && !made.name().isEmpty()
            ? made.place().type().replaceFirst(".*\\.", "") + "." + made.place().method() + ": " + made.name()
            : made != null ? type.getSimpleName() + " made in " + made.place() : type.getSimpleName() + " of unknown origin";
  }

  private void add(Opaque opaque) {
    if (isCovered(opaque.shadow, 0, null)) {
      return;
    }
    Group group = group(opaque.shadow, opaque.shadow.type);
    boolean isSavable = Advised.isSavable(group.type) && !opaque.isPosition() && !opaque.isOfThreads();
    Verdict verdict = !isSavable ? opaque.isFile() ? Verdict.FILE : Verdict.STATE : opaque.isCache() ? Verdict.ONCE
        : !opaque.isCarried(isSavedAtEnd) ? Verdict.LAST : Verdict.MISSING;
    contents.remove(group.name + group.type.getName());
    String note = isSavable ? "" : Advised.state(group.type, opaque.isPosition(), opaque.isOfThreads());
    found(new Finding(verdict, group.name, group.type.getTypeName(), group.definition, opaque.shadow.uses.reads(),
        opaque.shadow.uses.writes(), "", -1, isSavable ? Advised.call(group) : "", note), opaque.shadow.uses);
    if (group.variable != null) {
      variables.remove(group.variable);
    }
  }

  private void addState(Shadow shadow) {
    boolean isFile = shadow.type == FilePath.class;
    String name = isFile && shadow.get() instanceof FilePath file ? "file " + file.path() : group(shadow, shadow.type).name;
    contents.remove(name + shadow.type.getName());
    String note = isFile
        ? "after a failure it has what later iterations wrote"
        : Advised.state(shadow.type, false, false);
    found(new Finding(isFile ? Verdict.FILE : Verdict.STATE, name, isFile ? "file" : ThreadLocal.class.getTypeName(), "",
        shadow.uses.reads(), shadow.uses.writes(), "", -1, "", note), shadow.uses);
  }

  /** Objects that two items save, which become two objects each after a restore. */
  private void addTwice(Items.Twice twice) {
    if (twice.shadow().isVaried()) {
      String items = twice.first().name + " and " + twice.second().name;
      String type = twice.shadow().type.getTypeName();
      if (found.stream().noneMatch(one -> one.name().equals(items))) {
        found.add(new Finding(Verdict.STATE, items, type, "", List.of(), List.of(), "", -1, "",
            "both items save the same object of " + type + ": after a restore each has one of its own. Protect one object that "
                + "refers to all of them"));
      }
    }
  }

  /** A variable that refers to other arrays in the course of the loop, and the arrays in it, are one finding. */
  private void mergeReference(Group group) {
    Group reference = variables.get(group.variable);
    if (reference != null && !group.name.endsWith("]")) {
      group.replaced();
    }
  }

  private void add(Group group, Group reference) {
    if (group.type == null && contents.values().stream().anyMatch(one -> one.variable == group.variable && one.isReplaced())) {
      return; // it is in the finding of the arrays
    }
    if (group.type == null) {
      group.uses.add(group.variable.uses);
    }
    boolean counts = group.type == null && group.variable.isCounter(Items.isRestoreUsed());
    // A field that counts, too, has a wrong value after a restore if the body does not set it from the number of the version.
    boolean isCounter = counts && (group.variable.isPassed() || group.variable.kind == Variable.Kind.LOCAL);
    boolean isBoolean = group.type == null && group.variable.descriptor.equals("Z");
    boolean isOnce = group.isOnce(reference) && !isBoolean;
    Verdict verdict = isCounter ? Verdict.COUNTER : group.isLast() ? Verdict.LAST : isOnce ? Verdict.ONCE : Verdict.MISSING;
    boolean isOfThread = group.variable != null && group.variable.descriptor.equals("Ljava/lang/ThreadLocal;");
    if (isOfThread && verdict == Verdict.MISSING) {
      verdict = Verdict.STATE;
    }
    String type = group.type == null ? Advised.typeName(group.variable.descriptor) : group.type.getTypeName();
    String call = Advised.call(group);
    if (isOfThread) {
      call = "";
    } else if (call.isEmpty() && verdict == Verdict.MISSING) {
      call = "no call protects it as it is: put the data into an array or a Serializable object in a field";
    }
    found(new Finding(verdict, group.name, type, group.definition, group.uses.reads(), group.uses.writes(), group.elements(),
        group.bytes(), call, isOfThread ? Advised.state(ThreadLocal.class, false, false)
            : counts && !isCounter ? "it counts the iterations: set it from what restore() returns, or protect it"
                : note(group)),
        group.uses);
  }

  private static String note(Group group) {
    String item = Items.all().stream().filter(one -> !one.isLeftOut() && one.needs().contains(group.name)).map(one -> one.name)
        .findFirst().orElse(null);
    if (item != null && group.isArray()) {
      return "the item \"" + item + "\" saves one of the arrays only that this variable has in turn: replace its call";
    }
    if (!group.otherNames.isEmpty()) {
      return (group.isReplaced() ? "the loop exchanges it with " : "also known as ") + String.join(", ", group.otherNames);
    }
    return group.type == null && group.variable.isReference() ? "the loop makes it refer to another object" : "";
  }
}
